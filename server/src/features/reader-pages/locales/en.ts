/**
 * Every text that a subscriber reads. `{name}` is a placeholder. The other languages have the same keys: leaving one
 * out fails the type check, and other placeholders fail `npm run check`.
 */
export const en = {
  pages: {
    // The form, on its page and in the frame of another site.
    emailLabel: 'Email address',
    nameLabel: 'Your name (optional)',
    websiteLabel: 'Leave this field empty',
    subscribeButton: 'Subscribe',
    privacyWithConfirmation:
      'We first send you an email to confirm your address. It is used for this newsletter only, and every issue has a link to unsubscribe.',
    privacy: 'Your address is used for this newsletter only, and every issue has a link to unsubscribe.',
    archiveLink: 'Read past issues',
    closedTitle: 'Sign-up is closed',
    closedText: '{newsletter} is not taking new subscribers at the moment.',

    // Messages for invalid input.
    problemTitle: 'Please check what you entered',
    emailMissing: 'Enter your email address.',
    emailInvalid: 'Enter a complete email address, such as name@example.com.',
    emailRefused: 'This address cannot be subscribed. Please use another one.',
    nameInvalid: 'Enter a name of at most 64 characters, without web addresses.',
    tooFast: 'That was very quick. Please press the button once more.',
    notHuman: 'Confirm that you are a person, and press the button once more.',
    proofNeedsScript: 'This form needs JavaScript to tell people from programs.',

    // After the form.
    checkInboxTitle: 'Check your inbox',
    checkInboxText:
      'Please open the link in the email to {email}. Your subscription starts once you have confirmed it.',
    checkInboxHint: 'Nothing there after a few minutes? Look in your spam folder, or have the email sent again.',
    openMailboxLink: 'Open {mailbox}',
    sendAgainButton: 'Send it again',
    sentAgainText: 'If {email} is waiting to be confirmed, the email is on its way again.',
    subscribedTitle: 'You are subscribed',
    welcomeText: 'Thank you. The next issue of {newsletter} will come to your inbox.',

    // The link in the confirmation email.
    confirmQuestionTitle: 'Confirm your subscription',
    confirmQuestionText: 'One more step: press the button to receive {newsletter}.',
    confirmButton: 'Confirm subscription',
    confirmedTitle: 'Your subscription is confirmed',

    // Links that lead nowhere.
    badLinkTitle: 'This link does not work',
    badLinkText: 'It has expired or is not complete. Please use the link in the newest email you received.',
    newLinkText: 'Or enter your address, and we send you a new link.',
    newLinkButton: 'Send me a new link',
    previewTitle: 'This is a preview',
    previewText: 'This link comes from a preview or a test email, and it changes nothing.',
    goneTitle: 'This is no longer here',
    goneText: 'This newsletter has been removed. You will receive no more emails from it.',
    notFoundTitle: 'Page not found',
    notFoundText: 'There is nothing at this address. Please check that it is complete.',

    // The link to leave, and the ways back.
    unsubscribeQuestionTitle: 'Unsubscribe?',
    unsubscribeQuestionText: 'Press the button, and {email} receives no more issues of {newsletter}.',
    unsubscribeButton: 'Unsubscribe',
    stillSubscribedTitle: 'You are still subscribed',
    stillSubscribedText:
      'Other links of the same email were opened at the same moment, as programs that check mail do. So {email} still receives {newsletter}. Press the button to unsubscribe.',
    unsubscribedTitle: 'You are unsubscribed',
    unsubscribedText: '{email} receives no more issues of {newsletter}.',
    endedTitle: 'This subscription has ended',
    endedText:
      'The subscription that this link belongs to was removed, and receives no more issues of {newsletter}. If an issue still reaches you, use the link in that issue.',
    undoText: 'Was that a mistake?',
    undoButton: 'Undo',
    preferencesLink: 'Manage preferences',
    everywhereText: 'You can also leave every newsletter of {workspace}.',
    everywhereButton: 'Unsubscribe from everything',
    everywhereTitle: 'You are unsubscribed from everything',
    everywhereDoneText: '{email} receives no more newsletters from {workspace}.',
    undoneTitle: 'Welcome back',
    undoneText: '{email} receives {newsletter} again.',
    undonePendingText: 'Your subscription is waiting for your confirmation again.',
    undoTooLateTitle: 'This can no longer be undone',
    undoTooLateText: 'You are welcome to subscribe again at any time.',
    subscribeAgainLink: 'Subscribe again',

    // Preferences.
    preferencesTitle: 'Your preferences',
    contactOnText: '{email} receives mail from {newsletter}.',
    contactOffText: '{email} receives no more mail from {newsletter}.',
    addressLabel: 'Your address',
    statusActive: 'You receive {newsletter}.',
    statusPending: 'You have not confirmed your subscription to {newsletter} yet.',
    statusUnsubscribed: 'You do not receive {newsletter}.',
    saveButton: 'Save',
    savedText: 'Your preferences are saved.',
    othersTitle: 'Your other newsletters from {workspace}',
    leaveOtherButton: 'Unsubscribe from {newsletter}',
    leftListText: '{email} is no longer on {newsletter}.',
    rejoinButton: 'Subscribe to {newsletter} again',
    dataTitle: 'Your data',
    dataText:
      'You can download everything {workspace} has on record about your subscriptions, or have it removed. To be sure that it is you, we send a link for that to {email}.',
    dataButton: 'Send me the link',
    dataSentText: 'The link is on its way to {email}. It works for a day.',
    dataUnsentText: 'No email can be sent to {email} at the moment. Please contact {workspace}.',
    exportText: 'Download everything {workspace} has on record about your subscriptions.',
    exportButton: 'Download my data',
    eraseText:
      'Remove everything {workspace} has on record about your subscriptions. You then receive no more newsletters from {workspace}. This cannot be undone.',
    eraseSure: 'Yes, remove all of it',
    eraseKeep: 'No, keep it',
    eraseButton: 'Remove my data',
    erasedTitle: 'Your data is removed',
    erasedText: 'You receive no more newsletters from {workspace}.',

    // Refusals.
    waitTitle: 'Please wait a moment',
    waitText: 'There were too many requests. Please try again in {duration}.',
    failedTitle: 'That did not work',
    unreadableText: 'The form could not be read. Please go back and try again.',
    brokenText:
      'Something went wrong on our side. Please try again in a moment. If it happens again, report {request}.',
    backToForm: 'Back to the form',

    // The archive.
    archiveTitle: 'Past issues',
    archiveEmpty: 'No issue has been sent yet.',
    archiveEmptyHint: 'Subscribe, and the first one comes to your inbox.',
    previousIssue: 'Previous',
    nextIssue: 'Next',
    signUpTitle: 'Get {newsletter} by email',
    newerLink: 'Newer issues',
    olderLink: 'Older issues',
    pagingLabel: 'Pages',
    feedLink: 'RSS feed',
    searchLabel: 'Search past issues',
    searchButton: 'Search',
    searchTitle: 'Issues with “{words}”',
    searchNone: 'No issue contains “{words}”. Try a single word, or its beginning.',
    subscribeLink: 'Subscribe',
    readingTime: '{minutes} read',
    shareLink: 'Share by email',
  },
  confirmationMail: {
    subject: 'Please confirm your subscription to {newsletter}',
    preheader: 'One click, and your subscription starts.',
    title: 'Confirm your subscription',
    text: 'Someone, hopefully you, asked to receive {newsletter} at this address. Please confirm that it was you.',
    button: 'Confirm subscription',
    linkHint: 'If the button does not work, open this address in your browser:',
    expiry: 'The link works for {days} days.',
    ignore: 'If it was not you, there is nothing to do: without your confirmation you will receive nothing.',
    unsubscribe: 'Do not send me this newsletter',
  },
  dataMail: {
    subject: 'Your data at {workspace}',
    preheader: 'The link to download or remove it.',
    title: 'Your data',
    text: 'Someone, hopefully you, asked to see what {workspace} has on record about the newsletters of this address. With this link you can download it, or have it removed.',
    button: 'See my data',
    expiry: 'The link works for {hours} hours. Do not pass it on.',
    ignore: 'If it was not you, there is nothing to do: without this link nothing is shown or removed.',
  },
  footer: {
    reason: 'You receive this email because you subscribed to {newsletter}.',
    contactReason: 'You receive this email from {sender}.',
    unsubscribe: 'Unsubscribe',
    preferences: 'Preferences',
    viewOnline: 'Read in the browser',
  },
};

/** The texts of one language, in groups. English says which there are. */
export type Messages = typeof en;
