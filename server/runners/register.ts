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
  /** Registration token of the scope that the runner will belong to. */
  token: string
  name: string
  ephemeral: boolean
}

/** New runner with the secret that it authenticates with. The secret is not stored and not shown again. */
export interface RegisteredRunner {
  runner: RunnerRow
  secret: string
}

/**
 * Registers a runner for the scope of a registration token.
 * @throws {DomainError} invalid without a name or token, or for unusable labels; forbidden if the token is
 * unknown, was reset, or its scope was deleted; exhausted if the scope has 10,000 runners.
 */
export async function registerRunner(
  ctx: ServiceCtx,
  { token, name: requestedName, ephemeral, ...declaration }: Registration,
): Promise<RegisteredRunner> {
  const name = shortened(requestedName)
  if (token === '') throw invalid('a registration token is required', { field: 'token' })
  if (name === '') throw invalid('the name of the runner must not be empty', { field: 'name' })
  const { version, labels, capabilities } = readDeclaration(declaration)
  const scope = await findScopeOfToken(ctx, token)
  if (!scope) throw unknownToken()
  const secret = randomBytes(20).toString('hex')
  return await withTransaction(ctx.db, async trx => {
    const ownerId = await lockOwnersOf(trx, scope)
    if (ownerId === undefined || !(await isStillValid(ctx, trx, token))) throw unknownToken()
    // Concurrent registrations can exceed the limit slightly, which is harmless because it only bounds the
    // cost.
    if ((await countRunnersOf(trx, scope)) >= maxRunners) {
      throw exhausted(`at most ${maxRunners} runners can be registered here; delete unused runners first`)
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
  forbidden('this registration token is unknown or was reset; copy the current one from the runners page')
