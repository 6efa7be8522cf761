import type { z } from 'zod'

type Issue = z.core.$ZodIssue

/** Returns the message of an invalid input in the contract's format, `[Field]: Rule`. */
export function validationMessage(issue: Issue, input: Readonly<Record<string, unknown>>): string {
  const name = String(issue.path[0] ?? '')
  if (!name) return `[]: ${issue.message}`
  const value = input[name]
  if (value === undefined || value === null) return `[${label(name)}]: Required`
  // Shown for values inside a list or object. An invalid key is omitted, because it can be any text.
  const path = issue.path.length > 1 && issue.code !== 'invalid_key' ? issue.path.join('.') : ''
  const message = path ? `${path}: ${issue.message}` : issue.message
  switch (issue.code) {
    case 'too_small':
      return issue.minimum === 1 ? `[${label(name)}]: Required` : `[${label(name)}]: MinSize: ${message}`
    case 'too_big':
      return `[${label(name)}]: MaxSize: ${message}`
    case 'invalid_type':
      return `[]: ${path || name}: expected ${issue.expected}`
    case 'invalid_value':
      return `[${label(name)}]: In: ${message}`
    case 'invalid_format':
      return `[${label(name)}]: ${issue.format === 'email' ? 'Email: ' : ''}${message}`
    case 'custom':
      return `[${label(name)}]: ${issue.params?.rule ? `${issue.params.rule}: ` : ''}${message}`
    default:
      return `[${label(name)}]: ${message}`
  }
}

/** Returns a field name as clients expect it in messages: `branch_filter` becomes `BranchFilter`. */
const label = (name: string): string =>
  name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
