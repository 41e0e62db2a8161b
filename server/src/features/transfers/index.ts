export { createTransfersFeature, type TransfersFeature } from './feature.ts';
export { forgetImportedAddresses, listAskingImports, removeTransfersOf } from './forget-queries.ts';
export { exportFile } from './exports/routes.ts';
export { PERSON_LAYOUT } from './people/person-fields.ts';
export type { HeldPerson, KnownAddresses } from './people/judge-person.ts';
export { type PersonRow, readPerson } from './people/read-person.ts';
export { type Judged, type PeopleList, takePeople } from './people/take-people.ts';
export type { LeaveReason } from './people/standing.ts';
export { scopeOf as scopeOfFiles, type TargetType } from './target-type.ts';
export { rewriteExports } from './exports/rewrite-exports-queries.ts';
export { type Import, importedBy, type ImportOptions } from './imports/import.ts';
export type { Layout, LayoutRules } from './imports/layout.ts';
export { fileUpload } from './imports/routes.ts';
export type {
  AskingImport,
  AskOutcome,
  BadRow,
  ExportedRow,
  ExportFilters,
  ExportSource,
  FileRow,
  ImportPage,
  ImportTarget,
  RowOutcome,
  TransferTarget,
  UndoCount,
} from './transfer-target.ts';
