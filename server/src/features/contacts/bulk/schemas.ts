import { Type } from 'typebox';
import { Id } from '../contact.ts';
import { Filter } from '../segments/segment.ts';
import { Action } from './bulk-job.ts';

export const CreateBulkJobBody = Type.Object({ filter: Filter, action: Action });
export const BulkJobParams = Type.Object({ id: Id });
