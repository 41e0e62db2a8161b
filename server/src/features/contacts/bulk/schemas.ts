import { Type } from 'typebox';
import { pageQuery } from '#platform/http/paging.ts';
import { Id } from '../contact.ts';
import { Filter } from '../segments/segment.ts';
import { Action } from './bulk-job.ts';

export const CreateBulkJobBody = Type.Object({ filter: Filter, action: Action });
export const BulkJobsQuery = Type.Object(pageQuery);
export const BulkJobParams = Type.Object({ id: Id });
