import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Selectable, Transaction } from 'kysely'
import type { Db } from '@/db/client'
import type { Database } from '@/db/tables'
import type { RunnerRegistrationsTable } from '@/db/tables/runners'
import { withTransaction } from '@/db/transaction'
import { hashSecret } from '@/server/auth/credentials/secret-token'
import { confirmCaller } from '@/server/auth/reauthenticate'
import { originOf, recordEvent } from '@/server/events'
import type { Config } from '@/server/kernel/config'
import type { ServiceCtx, UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { derivedKey } from '@/server/kernel/signature'
import { requireSameScope, type SettingsScope, type SettingsScopeFor } from '@/server/scopes'
import { mapForeignKeyError } from '@/server/users'
import { actorsOf } from './record'
import { lockOwnersOf, type ScopeColumns, scopeColumns } from './store'

/**
 * Returns the registration token of a scope, which stays the same until it is reset.
 * @throws {DomainError} notFound if the scope is deleted concurrently; otherwise as `confirmCaller`.
 */
export async function issueRegistrationToken(ctx: UserCtx, scope: SettingsScopeFor): Promise<string> {
  const columns = scopeColumns(scope)
  return await withTransaction(ctx.db, async trx => {
    await confirmCaller(ctx, trx)
    await requireSameScope(trx, scope)
    const known = await registrationsOf(trx, columns).executeTakeFirst()
    if (known) {
      const token = tokenOf(ctx.config, known)
      if (hashSecret(token).equals(known.token_hash)) return token
    }
    return await write({ ...ctx, db: trx }, columns, generation => generation)
  })
}

/**
 * Replaces the registration token of a scope. Runners can no longer register with the previous one.
 * @throws {DomainError} notFound if the scope is deleted concurrently; otherwise as `confirmCaller`.
 */
export async function resetRegistrationToken(ctx: UserCtx, scope: SettingsScopeFor): Promise<string> {
  return await withTransaction(ctx.db, async trx => {
    await confirmCaller(ctx, trx)
    await requireSameScope(trx, scope)
    return await reset({ ...ctx, db: trx }, scope)
  })
}

/**
 * Replaces the registration token of a person's own runners within an open transaction. Returns false if they
 * have none. The caller must have authorized the request.
 */
export async function replaceRegistrationToken(
  ctx: UserCtx,
  trx: Transaction<Database>,
  ownerId: number,
): Promise<boolean> {
  const scope = { kind: 'owner', ownerId } as const
  const known = await registrationsOf(trx, scopeColumns(scope)).executeTakeFirst()
  if (!known) return false
  await reset({ ...ctx, db: trx }, scope)
  return true
}

async function reset(ctx: UserCtx, scope: SettingsScope): Promise<string> {
  const columns = scopeColumns(scope)
  return await write(
    ctx,
    columns,
    generation => generation + 1,
    trx =>
      recordEvent(trx, originOf(ctx), {
        kind: 'runner.token_reset',
        ownerId: scope.kind === 'site' ? null : scope.ownerId,
        facts: { scope: scope.kind, repositoryId: columns.repository_id },
      }),
  )
}

/** Finds the scope that a registration token is for; undefined if the token is unknown or was reset. */
export async function findScopeOfToken(
  { config, db }: Pick<ServiceCtx, 'config' | 'db'>,
  token: string,
): Promise<ScopeColumns | undefined> {
  const hash = hashSecret(token)
  const { runnerRegistrationToken: ofSite } = config
  if (ofSite !== undefined && timingSafeEqual(hash, hashSecret(ofSite))) {
    return { owner_id: null, repository_id: null }
  }
  return await db
    .selectFrom('runner_registrations')
    .select(['owner_id', 'repository_id'])
    .where('token_hash', '=', hash)
    .executeTakeFirst()
}

type Registration = Pick<
  Selectable<RunnerRegistrationsTable>,
  'id' | 'owner_id' | 'repository_id' | 'generation' | 'token_hash'
>

const registrationsOf = (db: Db, { owner_id, repository_id }: ScopeColumns) =>
  db
    .selectFrom('runner_registrations')
    .select(['id', 'owner_id', 'repository_id', 'generation', 'token_hash'])
    .where(eb => eb(eb.fn.coalesce('owner_id', eb.lit(0)), '=', owner_id ?? 0))
    .where(eb => eb(eb.fn.coalesce('repository_id', eb.lit(0)), '=', repository_id ?? 0))

async function write(
  ctx: UserCtx,
  columns: ScopeColumns,
  nextOf: (generation: number) => number,
  record?: (trx: Transaction<Database>) => Promise<void>,
): Promise<string> {
  const { config, db } = ctx
  try {
    return await withTransaction(db, async trx => {
      // Deleting the scope or the account that resets its token takes locks in the same order.
      if ((await lockOwnersOf(trx, columns, actorsOf(ctx))) === undefined) throw notFound()
      const first = hashSecret(tokenOf(config, { ...columns, generation: 1 }))
      await trx
        .insertInto('runner_registrations')
        .values({ ...columns, token_hash: first })
        .onConflict(conflict => conflict.doNothing())
        .execute()
      const current = await registrationsOf(trx, columns).forUpdate().executeTakeFirstOrThrow()
      const generation = nextOf(current.generation)
      const token = tokenOf(config, { ...columns, generation })
      await trx
        .updateTable('runner_registrations')
        .set({ generation, token_hash: hashSecret(token) })
        .where('id', '=', current.id)
        .execute()
      await record?.(trx)
      return token
    })
  } catch (error) {
    throw mapForeignKeyError(error)
  }
}

const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const tokenLength = 40

/** Derives a token of 40 letters and numbers, so that it can be shown again without being stored. */
function tokenOf(
  config: Pick<Config, 'secretKey'>,
  { owner_id, repository_id, generation }: Omit<Registration, 'id' | 'token_hash'>,
): string {
  const key = derivedKey(config, 'runner registration')
  let token = ''
  for (let block = 0; token.length < tokenLength; block++) {
    const fields = [owner_id ?? '', repository_id ?? '', generation, block].join(':')
    for (const byte of createHmac('sha512', key).update(fields).digest()) {
      // The last byte values are skipped, because they would make some characters more frequent.
      if (byte < 4 * characters.length) token += characters[byte % characters.length]
    }
  }
  return token.slice(0, tokenLength)
}
