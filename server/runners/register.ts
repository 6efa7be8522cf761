import { randomBytes, randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { hashSecret } from '@/server/auth/credentials/secret-token'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { exhausted, forbidden, invalid } from '@/server/kernel/errors'
import { type Declaration, readDeclaration, shortened } from './declared'
import { aboutRunner, recordRunnerEvent } from './record'
import { findScopeOfToken } from './registration'
import { countRunnersOf, insertRunner, lockOwnersOf, type RunnerRow } from './store'

const maxRunners = 10_000

export interface Registration extends Declaration {
  /** The registration token of the scope that the runner is to belong to. */
  token: string
  name: string
  ephemeral: boolean
}

/** A new runner with the secret that it authenticates with, which is neither stored nor given again. */
export interface RegisteredRunner {
  runner: RunnerRow
  secret: string
}

/**
 * Registers a runner for the scope of the registration token.
 * @throws {DomainError} invalid without a name or token and for unusable labels; forbidden if the token is unknown, was
 * reset, or its scope is gone; exhausted if the scope has 10,000 runners.
 */
export async function registerRunner(
  ctx: ServiceCtx,
  { token, name: requestedName, ephemeral, ...declaration }: Registration,
): Promise<RegisteredRunner> {
  const name = shortened(requestedName)
  if (token === '') throw invalid('a registration token is required', { field: 'token' })
  if (name === '') throw invalid('a runner needs a name', { field: 'name' })
  const { version, labels, capabilities } = readDeclaration(declaration)
  const scope = await findScopeOfToken(ctx, token)
  if (!scope) throw unknownToken()
  const secret = randomBytes(20).toString('hex')
  return await withTransaction(ctx.db, async trx => {
    const ownerId = await lockOwnersOf(trx, scope)
    if (ownerId === undefined || !(await isStillValid(ctx, trx, token))) throw unknownToken()
    // Concurrent registrations may exceed the limit slightly, which is harmless: it limits cost, not the exact number.
    if ((await countRunnersOf(trx, scope)) >= maxRunners) {
      throw exhausted(`at most ${maxRunners} runners can be registered here; delete those that are not used`)
    }
    const runner = await insertRunner(trx, {
      ...scope,
      uuid: randomUUID(),
      name,
      version,
      labels: JSON.stringify(labels),
      declared_labels: JSON.stringify(labels),
      capabilities: JSON.stringify(capabilities),
      secret_hash: hashSecret(secret),
      is_ephemeral: ephemeral,
      created_at: ctx.clock.now(),
    })
    await recordRunnerEvent(ctx, trx, runner, {
      kind: 'runner.registered',
      ownerId,
      facts: { ...aboutRunner(runner), ephemeral },
    })
    return { runner, secret }
  })
}

async function isStillValid(ctx: ServiceCtx, trx: Transaction<Database>, token: string): Promise<boolean> {
  return (await findScopeOfToken({ ...ctx, db: trx }, token)) !== undefined
}

const unknownToken = () =>
  forbidden('this registration token is unknown or was reset; copy the current one from the page of runners')
