import base64, hashlib, hmac, json, time


def verify_webhook(raw_body: bytes, headers: dict, secret: str) -> dict:
    """Returns the event, or raises ValueError. Header names are in lower case."""
    sent_at = headers["webhook-timestamp"]
    if abs(time.time() - int(sent_at)) > 300:
        raise ValueError("sent over five minutes ago, or a clock is off")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{sent_at}.".encode() + raw_body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    given = headers["webhook-signature"].encode().split(b" ")
    if not any(hmac.compare_digest(expected, one) for one in given):
        raise ValueError("the signature does not match")
    return json.loads(raw_body)
