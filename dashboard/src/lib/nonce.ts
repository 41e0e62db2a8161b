/**
 * The nonce of this answer's Content-Security-Policy. Libraries that insert `<style>` elements need it: Mantine
 * (`getStyleNonce`), TipTap (`injectNonce`) and CodeMirror (`EditorView.cspNonce`). Vite writes the element.
 */
export function pageNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}
