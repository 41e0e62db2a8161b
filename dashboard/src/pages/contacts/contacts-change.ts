/** The operations whose answers are stale once contacts have changed. */
export const CONTACTS_CHANGE = [
  'listContacts',
  'getContact',
  'listLists',
  'getList',
  'listSegmentContacts',
  'explainSegment',
  'previewSegment',
  'listContactProperties',
];
