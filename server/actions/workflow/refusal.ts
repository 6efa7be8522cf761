import type { TemplateToken } from '@actions/workflow-parser/templates/tokens/template-token'
import { type DomainError, unprocessable } from '@/server/kernel/errors'

type Location = Pick<TemplateToken, 'range'> | undefined

/** Creates the error for a workflow that cannot be used, with line and column if they are known. */
export function refusal(location: Location, message: string): DomainError {
  return unprocessable(at(location, message), { field: 'workflow' })
}

/** Prefixes a message with the line and column that it is about. */
export function at(location: Location, message: string): string {
  const position = positionOf(location)
  return position ? `${position}: ${message}` : message
}

/** Returns where something is in the file, such as `line 3, column 5`; empty if that is unknown. */
export function positionOf(location: Location): string {
  const start = location?.range?.start
  return start ? `line ${start.line}, column ${start.column}` : ''
}
