import Stripe from 'stripe';

const stripe = new Stripe('sk_test_not_used');

/** Returns the event, or throws. `headers` are those of the request, by their names in lower case. */
export const verify = (rawBody, headers, secret) =>
  stripe.webhooks.constructEvent(rawBody, headers['x-service-signature'], secret);
