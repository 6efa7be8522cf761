import type { z } from 'zod'

type Issue = z.core.$ZodIssue

/** The contract's wording for an input that breaks a rule: `[Field]: Rule`, of the first rule broken. */
export function validationMessage(issue: Issue, input: Readonly<Record<string, unknown>>): string {
  const name = String(issue.path[0] ?? '')
  if (!name) return `[]: ${issue.message}`
  const value = input[name]
  if (value === undefined || value === null) return `[${label(name)}]: Required`
  // What is inside a list or an object, except for a key of it, which may be anything.
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

/** `branch_filter` is BranchFilter to the clients that know this contract. */
const label = (name: string): string =>
  name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
