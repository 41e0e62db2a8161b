import { EMAIL, WITHOUT_TEXT } from './email.ts';
import type { Mistake } from './mistake.ts';

export const BATCHES: readonly Mistake[] = [
  {
    what: 'An empty batch',
    request: { url: '/v1/batch', body: [] },
    answer: { status: 400, name: 'validation_error', message: 'The body needs at least one item.' },
  },
  {
    what: 'One email for a batch',
    request: { url: '/v1/batch', body: { ...EMAIL } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'emails is required',
      param: 'emails',
      warnings: [
        'from is unknown and was ignored.',
        'to is unknown and was ignored.',
        'subject is unknown and was ignored.',
        'text is unknown and was ignored.',
      ],
      unknown: 'from,to,subject,text',
    },
  },
  {
    what: 'A bad item',
    request: {
      url: '/v1/batch',
      body: [{ ...EMAIL }, { ...WITHOUT_TEXT, htlm: '<p>Hi</p>' }, { ...EMAIL, to: 'bob' }],
    },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'emails[1].htlm is unknown: did you mean html?',
      param: 'emails[1].htlm',
      details: [
        'emails[1].htlm is unknown: did you mean html?',
        'emails[2].to must be an email address. The address has no @.',
      ],
    },
  },
  {
    what: 'No good item, in mode `permissive`',
    request: { url: '/v1/batch', body: { emails: [{ ...EMAIL, to: 'bob' }], mode: 'permissive' } },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'emails[0].to must be an email address. The address has no @.',
      param: 'emails[0].to',
    },
  },
  {
    what: 'A mode that does not exist',
    request: { url: '/v1/batch', body: { emails: [{ ...EMAIL }], mode: 'lenient' } },
    answer: { status: 400, name: 'validation_error', message: 'mode must be one of strict, permissive', param: 'mode' },
  },
  {
    what: 'A dry run of a batch',
    request: { url: '/v1/batch?dryRun=true', body: [{ ...EMAIL }] },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'dryRun is not available: this has no dry run',
      param: 'dryRun',
    },
  },
  {
    what: 'An item with a key of its own',
    request: { url: '/v1/batch', body: [{ ...EMAIL, idempotency_key: 'order-42' }] },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'emails[0].idempotency_key belongs to the whole batch: use the header Idempotency-Key',
      param: 'emails[0].idempotency_key',
    },
  },
];

export const LISTS: readonly Mistake[] = [
  {
    what: '`limit=0`',
    request: { url: '/v1/emails?limit=0' },
    answer: { status: 400, name: 'validation_error', message: 'limit must be a whole number from 1', param: 'limit' },
  },
  {
    what: '`limit` in words',
    request: { url: '/v1/emails?limit=all' },
    answer: { status: 400, name: 'validation_error', message: 'limit must be a whole number from 1', param: 'limit' },
  },
  { what: 'A `limit` above 100 counts as 100', request: { url: '/v1/emails?limit=1000' }, answer: { status: 200 } },
  {
    what: '`page=0`',
    request: { url: '/v1/emails?page=0' },
    answer: { status: 400, name: 'validation_error', message: 'page must be a whole number from 1', param: 'page' },
  },
  {
    what: 'A page, a limit and a filter that are none',
    request: { url: '/v1/emails?page=0&limit=all&since=yesterday' },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'page must be a whole number from 1',
      param: 'page',
      details: [
        'page must be a whole number from 1',
        'limit must be a whole number from 1',
        'since must be an ISO 8601 date and time with an offset, such as 2026-12-01T09:00:00Z',
      ],
    },
  },
  {
    what: 'A cursor that was made up',
    request: { url: '/v1/emails?cursor=2' },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'cursor is not one that a list of ours has returned',
      param: 'cursor',
    },
  },
  {
    what: 'A state that does not exist',
    request: { url: '/v1/emails?status=opened' },
    answer: {
      status: 400,
      name: 'validation_error',
      message:
        'status must be one of pending, queued, sending, unconfirmed, sent, delivery_delayed, delivered, bounced, complained, failed, suppressed, cancelled',
      param: 'status',
    },
  },
  {
    what: 'A time that cannot be read',
    request: { url: '/v1/emails?since=yesterday' },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'since must be an ISO 8601 date and time with an offset, such as 2026-12-01T09:00:00Z',
      param: 'since',
    },
  },
  {
    what: 'A mistyped filter',
    request: { url: '/v1/emails?statsu=sent' },
    answer: {
      status: 400,
      name: 'validation_error',
      message: 'statsu is unknown: did you mean status?',
      param: 'statsu',
    },
  },
  {
    what: 'A filter that does not exist',
    request: { url: '/v1/emails?colour=red' },
    answer: { status: 200, unknown: 'colour' },
  },
  {
    what: 'A filter as an array',
    request: { url: '/v1/emails?status[]=sent' },
    answer: { status: 400, name: 'validation_error', message: 'status takes one plain value', param: 'status' },
  },
];
