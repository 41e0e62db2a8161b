import type { Messages } from './en.ts';

/** German; readers are addressed as "Sie". */
export const de: Messages = {
  pages: {
    emailLabel: 'E-Mail-Adresse',
    nameLabel: 'Ihr Name (freiwillig)',
    websiteLabel: 'Dieses Feld bitte leer lassen',
    subscribeButton: 'Abonnieren',
    privacyWithConfirmation:
      'Sie erhalten zuerst eine E-Mail, mit der Sie Ihre Adresse bestätigen. Wir verwenden sie nur für diesen Newsletter, und jede Ausgabe enthält einen Link zum Abbestellen.',
    privacy:
      'Wir verwenden Ihre Adresse nur für diesen Newsletter, und jede Ausgabe enthält einen Link zum Abbestellen.',
    archiveLink: 'Frühere Ausgaben lesen',
    closedTitle: 'Die Anmeldung ist geschlossen',
    closedText: '{newsletter} nimmt zurzeit keine neuen Anmeldungen an.',

    problemTitle: 'Bitte prüfen Sie Ihre Eingaben',
    emailMissing: 'Bitte geben Sie Ihre E-Mail-Adresse ein.',
    emailInvalid: 'Bitte geben Sie eine vollständige E-Mail-Adresse ein, zum Beispiel name@example.com.',
    emailRefused: 'Diese Adresse kann nicht angemeldet werden. Bitte verwenden Sie eine andere.',
    nameInvalid: 'Bitte geben Sie einen Namen mit höchstens 64 Zeichen und ohne Internetadressen ein.',
    tooFast: 'Das ging sehr schnell. Bitte drücken Sie noch einmal auf den Knopf.',

    checkInboxTitle: 'Bitte sehen Sie in Ihr Postfach',
    checkInboxText:
      'Bitte öffnen Sie den Link in der E-Mail an {email}. Ihr Abonnement beginnt, sobald Sie es bestätigt haben.',
    checkInboxHint:
      'Nach einigen Minuten ist noch nichts da? Sehen Sie im Spam-Ordner nach, oder lassen Sie sich die E-Mail noch einmal senden.',
    sendAgainButton: 'Noch einmal senden',
    sentAgainText: 'Wenn {email} noch nicht bestätigt ist, ist die E-Mail erneut unterwegs.',
    subscribedTitle: 'Sie sind angemeldet',
    welcomeText: 'Vielen Dank. Die nächste Ausgabe von {newsletter} kommt in Ihr Postfach.',

    confirmQuestionTitle: 'Abonnement bestätigen',
    confirmQuestionText: 'Nur noch ein Schritt: Drücken Sie auf den Knopf, um {newsletter} zu erhalten.',
    confirmButton: 'Abonnement bestätigen',
    confirmedTitle: 'Ihr Abonnement ist bestätigt',

    badLinkTitle: 'Dieser Link funktioniert nicht',
    badLinkText:
      'Er ist abgelaufen oder unvollständig. Bitte verwenden Sie den Link in der neuesten E-Mail, die Sie erhalten haben.',
    newLinkText: 'Oder geben Sie Ihre Adresse ein, und wir senden Ihnen einen neuen Link.',
    newLinkButton: 'Neuen Link senden',
    goneTitle: 'Das gibt es hier nicht mehr',
    goneText: 'Das, wozu dieser Link gehört, wurde entfernt. Sie erhalten von dort keine E-Mails mehr.',
    notFoundTitle: 'Seite nicht gefunden',
    notFoundText: 'Unter dieser Adresse gibt es nichts. Bitte prüfen Sie, ob sie vollständig ist.',

    unsubscribeQuestionTitle: 'Newsletter abbestellen?',
    unsubscribeQuestionText: 'Drücken Sie auf den Knopf, dann erhält {email} keine Ausgaben von {newsletter} mehr.',
    unsubscribeButton: 'Abbestellen',
    unsubscribedTitle: 'Sie sind abgemeldet',
    unsubscribedText: '{email} erhält keine Ausgaben von {newsletter} mehr.',
    undoText: 'War das ein Versehen?',
    undoButton: 'Rückgängig machen',
    preferencesLink: 'Einstellungen verwalten',
    everywhereText: 'Sie können auch alle Newsletter von {workspace} abbestellen.',
    everywhereButton: 'Alles abbestellen',
    everywhereTitle: 'Sie sind überall abgemeldet',
    everywhereDoneText: '{email} erhält keine Newsletter von {workspace} mehr.',
    undoneTitle: 'Willkommen zurück',
    undoneText: '{email} erhält {newsletter} wieder.',
    undonePendingText: 'Ihr Abonnement wartet wieder auf Ihre Bestätigung.',
    undoTooLateTitle: 'Das lässt sich nicht mehr rückgängig machen',
    undoTooLateText: 'Sie können sich jederzeit gern wieder anmelden.',
    subscribeAgainLink: 'Wieder abonnieren',

    preferencesTitle: 'Ihre Einstellungen',
    addressLabel: 'Ihre Adresse',
    statusActive: 'Sie erhalten {newsletter}.',
    statusPending: 'Sie haben Ihr Abonnement von {newsletter} noch nicht bestätigt.',
    statusUnsubscribed: 'Sie erhalten {newsletter} nicht.',
    saveButton: 'Speichern',
    savedText: 'Ihre Einstellungen sind gespeichert.',
    othersTitle: 'Ihre anderen Newsletter von {workspace}',
    leaveOtherButton: '{newsletter} abbestellen',
    rejoinButton: '{newsletter} wieder abonnieren',
    dataTitle: 'Ihre Daten',
    exportText: 'Laden Sie alles herunter, was {workspace} über Ihre Abonnements gespeichert hat.',
    exportButton: 'Meine Daten herunterladen',
    eraseText:
      'Lassen Sie alles löschen. Sie erhalten dann keine Newsletter mehr von {workspace}. Das lässt sich nicht rückgängig machen.',
    eraseSure: 'Ja, alles löschen',
    eraseButton: 'Meine Daten löschen',
    erasedTitle: 'Ihre Daten sind gelöscht',
    erasedText: 'Sie erhalten keine Newsletter mehr von {workspace}.',

    waitTitle: 'Bitte warten Sie einen Moment',
    waitText: 'Es gab zu viele Anfragen. Bitte versuchen Sie es in {duration} noch einmal.',
    failedTitle: 'Das hat nicht geklappt',
    unreadableText:
      'Ihre Eingabe konnte nicht gelesen werden. Bitte gehen Sie zurück und versuchen Sie es noch einmal.',
    brokenText:
      'Bei uns ist etwas schiefgegangen. Bitte versuchen Sie es gleich noch einmal. Wenn es wieder geschieht, melden Sie uns {request}.',
    backToForm: 'Zurück zum Formular',

    archiveTitle: 'Frühere Ausgaben',
    archiveEmpty: 'Bisher ist keine Ausgabe erschienen.',
    newerLink: 'Neuere Ausgaben',
    olderLink: 'Ältere Ausgaben',
    pagingLabel: 'Seiten',
    feedLink: 'RSS-Feed',
    issueLabel: 'Die Ausgabe',
    subscribeLink: 'Abonnieren',
  },
  confirmationMail: {
    subject: 'Bitte bestätigen Sie Ihr Abonnement von {newsletter}',
    preheader: 'Ein Klick, und Ihr Abonnement beginnt.',
    title: 'Bestätigen Sie Ihr Abonnement',
    text: 'Jemand, hoffentlich Sie, hat {newsletter} für diese Adresse bestellt. Bitte bestätigen Sie, dass Sie es waren.',
    button: 'Abonnement bestätigen',
    linkHint: 'Wenn der Knopf nicht funktioniert, öffnen Sie diese Adresse in Ihrem Browser:',
    expiry: 'Der Link gilt {days} Tage.',
    ignore: 'Wenn Sie es nicht waren, müssen Sie nichts tun: Ohne Ihre Bestätigung erhalten Sie nichts.',
    unsubscribe: 'Diesen Newsletter nicht senden',
  },
  footer: {
    reason: 'Sie erhalten diese E-Mail, weil Sie {newsletter} abonniert haben.',
    unsubscribe: 'Abbestellen',
    preferences: 'Einstellungen',
    viewOnline: 'Im Browser lesen',
  },
};
