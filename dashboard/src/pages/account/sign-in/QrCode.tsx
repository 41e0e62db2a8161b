import { qrPath } from '../../../lib/qr-path.ts';
import classes from '../account.module.css';

/** A QR code, drawn here: its text is a secret and goes to no other server. Dark on light in every scheme. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = qrPath(text);
  return (
    <svg
      className={classes['qr']}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  );
}
