import type { Db } from '@/db/client'
import { alreadyExists, type DomainError, invalid, unprocessable } from '@/server/kernel/errors'
import type { SettingsScope } from '@/server/scopes'
import { nameProblem } from './schema'
import { measureOthers, type VariableKind, type VariableRef } from './store'

// A job is given all of them at once.
const maxCount = 1000
const maxTotalBytes = 1024 * 1024

/**
 * Reads a name, which counts in any case.
 * @throws {DomainError} invalid for one that no secret or variable can have.
 */
export function readName(kind: VariableKind, name: string): string {
  const problem = nameProblem(name)
  if (!problem) return name.toUpperCase()
  throw invalid(`invalid ${kind} name`, { field: 'name', reason: { code: 'notAccepted', problem } })
}

/** A secret or variable by a name in any case, which nothing may have. */
export const refOf = (kind: VariableKind, name: string): VariableRef => ({ kind, name: name.toUpperCase() })

/**
 * Refuses another secret or variable of a scope that has too many. Concurrent additions may exceed the limits slightly, which is
 * harmless: they limit cost, not the exact number.
 * @throws {DomainError} unprocessable.
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
      `there can be at most ${maxCount} ${ref.kind}s in one place; delete one that is not used`,
      {
        reason: { code: 'tooMany', what: `${ref.kind}s`, most: maxCount },
      },
    )
  }
  if (bytes + Buffer.byteLength(value) > maxTotalBytes) {
    const problem = `all ${ref.kind}s of one place hold at most ${maxTotalBytes / 1024 / 1024} MiB together`
    const field = ref.kind === 'secret' ? 'data' : 'value'
    throw unprocessable(problem, { field, reason: { code: 'notAccepted', problem } })
  }
}

export const nameInUse = ({ kind, name }: VariableRef): DomainError =>
  alreadyExists(`${kind} already exists [name: ${name}]`, {
    field: 'name',
    reason: { code: 'nameTaken', what: kind, name },
  })
