import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { confirmCaller } from '@/server/auth/reauthenticate'
import { originOf, recordEvent } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { type DomainError, deleted, unprocessable } from '@/server/kernel/errors'
import { parseExpiry } from '@/server/kernel/expiry'
import { type administration, lockRepository, type RepositoryFor, type RepositoryRow } from '@/server/repos'
import { parsePublicKey, type SshKey } from '../ssh/parse'
import { deployKeyFacts } from './facts'
import type { CreateDeployKeyInput, DeployKey } from './schema'
import { countDeployKeys, type DeployKeyRow, findRepeated, insertDeployKey, lockSharedKey } from './store'
import { viewDeployKey } from './view'

// Far more keys than a repository has programs that need one.
const maxDeployKeys = 100

type NewDeployKey = Pick<CreateDeployKeyInput, 'title' | 'key' | 'read_only' | 'expires_at'>

/**
 * Adds a deploy key that can read one repository, or also write to it if `read_only` is false. Other
 * repositories can have the same key.
 * @throws {DomainError} unprocessable if the text is not an acceptable public key, the repository already has
 * the key, the key belongs to a person's account, the title is in use, the expiration date is in the past, or
 * the repository has 100 keys; notFound if the repository is deleted concurrently.
 */
export async function addDeployKey(
  ctx: UserCtx,
  found: RepositoryFor<typeof administration>,
  input: NewDeployKey,
): Promise<DeployKey> {
  const key = parsePublicKey(input.key)
  const expiresAt = parseExpiry(ctx, 'key', input.expires_at)
  const row = await withTransaction(ctx.db, async trx => {
    await confirmCaller(ctx, trx)
    // Additions to one repository run one at a time, so that these checks stay valid.
    const repository = await lockRepository(trx, found.repository.id)
    // A caller who has transferred the repository meanwhile cannot add a key to it.
    if (repository?.owner_id !== found.owner.id) throw deleted('repository')
    const added = await insert(trx, repository, key, { ...input, expiresAt })
    await recordEvent(trx, originOf(ctx), {
      kind: 'deploy_key.added',
      ownerId: repository.owner_id,
      repositoryId: repository.id,
      facts: deployKeyFacts(repository.id, added),
    })
    return added
  })
  return viewDeployKey(ctx, found, row)
}

async function insert(
  trx: Transaction<Database>,
  { id: repositoryId }: RepositoryRow,
  key: SshKey,
  { title, read_only, expiresAt }: NewDeployKey & { expiresAt: Date | null },
): Promise<DeployKeyRow> {
  if ((await countDeployKeys(trx, { repositoryId })) >= maxDeployKeys) throw tooManyKeys()
  const shared = await lockSharedKey(trx, key)
  if (!shared) throw keyOfPerson()
  const { id: keyId, content } = shared
  const repeated = await findRepeated(trx, repositoryId, { keyId, title })
  if (repeated) throw repeated.key_id === keyId ? keyRepeated(repeated.title) : titleRepeated(title)
  const mode = read_only === false ? 'write' : 'read'
  const row = await insertDeployKey(trx, {
    repository_id: repositoryId,
    key_id: keyId,
    title,
    mode,
    expires_at: expiresAt,
  })
  return { ...row, content, fingerprint: key.fingerprint }
}

const tooManyKeys = (): DomainError =>
  unprocessable(
    `A repository can have at most ${maxDeployKeys} deploy keys. Delete one that is no longer used.`,
    {
      reason: { code: 'tooMany', what: 'deployKeys', most: maxDeployKeys },
    },
  )

const keyOfPerson = (): DomainError =>
  unprocessable('Key content has been used as non-deploy key', {
    field: 'key',
    reason: { code: 'keyOfOtherKind', kind: 'person' },
  })

const keyRepeated = (title: string): DomainError =>
  unprocessable('This key has already been added to this repository', {
    field: 'key',
    reason: { code: 'keyTaken', title },
  })

const titleRepeated = (title: string): DomainError =>
  unprocessable('A key with the same name already exists', {
    field: 'title',
    reason: { code: 'nameTaken', what: 'key', name: title },
  })
