'use client'
import type { ReactNode, Ref } from 'react'
import { FormControl, TextInput } from './primer'

type TextFieldProps = Omit<Parameters<typeof TextInput>[0], 'ref' | 'type'> & {
  label: string
  type?: 'text' | 'email' | 'url' | 'search' | 'date'
  caption?: ReactNode
  error?: string | undefined
  optional?: boolean
  ref?: Ref<HTMLInputElement>
}

/** A labelled line of text with its explanation and what is wrong with it. */
export function TextField({ label, caption, error, optional = false, ...input }: TextFieldProps): ReactNode {
  return (
    <FormControl>
      <FormControl.Label>{optional ? `${label} (optional)` : label}</FormControl.Label>
      <TextInput block dir="auto" aria-required={!optional} {...input} />
      {error ? <FormControl.Validation variant="error">{error}</FormControl.Validation> : null}
      {caption ? <FormControl.Caption>{caption}</FormControl.Caption> : null}
    </FormControl>
  )
}
