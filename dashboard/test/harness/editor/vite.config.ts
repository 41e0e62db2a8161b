import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The editor and the preview alone, built as the dashboard is. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  html: { cspNonce: '__NONCE__' },
  build: { assetsInlineLimit: 0, modulePreload: { polyfill: false }, reportCompressedSize: false, emptyOutDir: true },
});
