'use client'
import type { ReactNode } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { TextField } from '@/app/_components/text-field'
import { maxNameLength, nameLetters, nameLettersRule } from '@/server/repos/name'

interface RepositoryNameFieldProps {
  field: UseFormRegisterReturn
  initial?: string
  /** What stands in it now. */
  value: string
  /** What its address begins with, up to the name. */
  base: string
  error: string | undefined
  readOnly?: boolean
  autoFocus?: boolean
}

/** The name, with the address it makes, and the rule it breaks, while it is typed. */
export function RepositoryNameField(props: RepositoryNameFieldProps): ReactNode {
  const { field, initial, value, base, error, ...input } = props
  const name = value.trim()
  return (
    <TextField
      {...field}
      {...input}
      {...(initial === undefined ? {} : { defaultValue: initial })}
      label="Repository name"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      error={error ?? (name === '' ? undefined : brokenRule(name))}
      caption={
        <>
          Its address:{' '}
          <code>
            {base}
            <strong>{name || '…'}</strong>
          </code>
        </>
      }
    />
  )
}

function brokenRule(name: string): string | undefined {
  if (name.length > maxNameLength) return `Use at most ${maxNameLength} characters.`
  return nameLetters.test(name) ? undefined : nameLettersRule
}
