import type { TemplateToken } from '@actions/workflow-parser/templates/tokens/template-token'
import { type DomainError, unprocessable } from '@/server/kernel/errors'

type Location = Pick<TemplateToken, 'range'> | undefined

/** The refusal of a workflow, with the line and column at fault where they are known. */
export function refusal(location: Location, message: string): DomainError {
  return unprocessable(at(location, message), { field: 'workflow' })
}

/** A message with the line and column that it is about. */
export function at(location: Location, message: string): string {
  const start = location?.range?.start
  return start ? `line ${start.line}, column ${start.column}: ${message}` : message
}
