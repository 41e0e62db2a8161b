import type { Db } from '#platform/db/database.ts';
import { notFound } from '#platform/errors/app-error.ts';
import { findMember, type Member } from './queries.ts';

export async function getMember(db: Db, workspaceId: string, userId: string): Promise<Member> {
  const member = await findMember(db, workspaceId, userId.toLowerCase());
  if (member === undefined) throw notFound('member', userId);
  return member;
}
