'use client'
import { type ReactNode, type Ref, useState } from 'react'
import { EyeClosedIcon, EyeIcon } from '@/app/_components/icons'
import { FormControl, TextInput } from './primer'

type PasswordFieldProps = Omit<Parameters<typeof TextInput>[0], 'ref' | 'type'> & {
  label: string
  autoComplete: 'current-password' | 'new-password'
  caption?: ReactNode
  error?: string | undefined
  optional?: boolean
  ref?: Ref<HTMLInputElement>
}

/** Labeled password field with a button to show the password. */
export function PasswordField({
  label,
  caption,
  error,
  optional = false,
  ...input
}: PasswordFieldProps): ReactNode {
  const [shown, setShown] = useState(false)
  return (
    <FormControl>
      <FormControl.Label>{optional ? `${label} (optional)` : label}</FormControl.Label>
      <TextInput
        block
        aria-required={!optional}
        {...input}
        type={shown ? 'text' : 'password'}
        autoCapitalize="none"
        spellCheck={false}
        trailingAction={
          <TextInput.Action
            icon={shown ? EyeClosedIcon : EyeIcon}
            aria-label={shown ? 'Hide password' : 'Show password'}
            onClick={() => setShown(!shown)}
          />
        }
      />
      {error ? <FormControl.Validation variant="error">{error}</FormControl.Validation> : null}
      {caption && !error ? <FormControl.Caption>{caption}</FormControl.Caption> : null}
    </FormControl>
  )
}
