import type { Db } from '@/db/client'
import { alreadyExists, type DomainError, invalid, unprocessable } from '@/server/kernel/errors'
import type { SettingsScope } from '@/server/scopes'
import { nameProblem } from './schema'
import { measureOthers, type VariableKind, type VariableRef } from './store'

// A job gets all of them.
const maxCount = 1000
const maxTotalBytes = 1024 * 1024

/**
 * Returns the stored form of a name, which ignores case.
 * @throws {DomainError} invalid for a name that no secret or variable can have.
 */
export function readName(kind: VariableKind, name: string): string {
  const problem = nameProblem(name)
  if (!problem) return name.toUpperCase()
  throw invalid(`invalid ${kind} name`, { field: 'name', reason: { code: 'notAccepted', problem } })
}

/** Returns the reference to a secret or variable by its name, ignoring case. It may not exist. */
export const refOf = (kind: VariableKind, name: string): VariableRef => ({ kind, name: name.toUpperCase() })

/**
 * Requires that a scope can have another secret or variable. Concurrent additions may exceed the limits slightly,
 * which is harmless, because the limits only bound the cost.
 * @throws {DomainError} unprocessable
 */
export async function requireRoom(
  db: Db,
  scope: SettingsScope,
  ref: VariableRef,
  value: string,
): Promise<void> {
  const { count, bytes } = await measureOthers(db, scope, ref)
  if (count >= maxCount) {
    throw unprocessable(
      `The maximum number of ${ref.kind}s is ${maxCount}. Delete one that is no longer used.`,
      {
        reason: { code: 'tooMany', what: `${ref.kind}s`, most: maxCount },
      },
    )
  }
  if (bytes + Buffer.byteLength(value) > maxTotalBytes) {
    const problem = `The values of all ${ref.kind}s combined can be at most ${maxTotalBytes / 1024 / 1024} MiB.`
    const field = ref.kind === 'secret' ? 'data' : 'value'
    throw unprocessable(problem, { field, reason: { code: 'notAccepted', problem } })
  }
}

export const nameInUse = ({ kind, name }: VariableRef): DomainError =>
  alreadyExists(`${kind} already exists [name: ${name}]`, {
    field: 'name',
    reason: { code: 'nameTaken', what: kind, name },
  })
