export { type AnyReaderContext, type ReaderContext, strangerContext } from './reader-context.ts';
export { buttonMail } from './button-mail.ts';
export { dataPage, erasedPage, eraseQuestionPage } from './pages/data-pages.ts';
export { LANGUAGES, type Locale, localeOf, type Messages, messagesOf } from './locales/messages.ts';
export { pageFailures } from './pages/page-failures.ts';
export { type Notice, preferencesPage } from './pages/preferences-page.ts';
export { badLinkPage, failurePage, gonePage, notFoundPage, refusedPage } from './pages/refusals.ts';
export { type ContactChoices, contactChoicesPage } from './pages/contact-choices-page.ts';
export { reloadable } from './pages/reloadable.ts';
export { show } from './pages/show.ts';
export {
  endedPage,
  previewPage,
  stillSubscribedPage,
  undonePage,
  undoTooLatePage,
  unsubscribeButtonPage,
  unsubscribedEverywherePage,
  unsubscribedPage,
} from './pages/unsubscribe-pages.ts';
