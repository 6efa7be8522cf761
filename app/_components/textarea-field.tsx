'use client'
import type { KeyboardEvent, ReactNode, Ref } from 'react'
import { FormControl, Textarea } from './primer'

type TextareaFieldProps = Omit<Parameters<typeof Textarea>[0], 'ref'> & {
  label: string
  caption?: ReactNode
  error?: string | undefined
  optional?: boolean
  ref?: Ref<HTMLTextAreaElement>
}

export function TextareaField({
  label,
  caption,
  error,
  optional = false,
  ...input
}: TextareaFieldProps): ReactNode {
  return (
    <FormControl>
      <FormControl.Label>{optional ? `${label} (optional)` : label}</FormControl.Label>
      <Textarea
        block
        resize="vertical"
        dir="auto"
        aria-required={!optional}
        onKeyDown={submitOnCtrlEnter}
        {...input}
      />
      {error ? <FormControl.Validation variant="error">{error}</FormControl.Validation> : null}
      {caption ? <FormControl.Caption>{caption}</FormControl.Caption> : null}
    </FormControl>
  )
}

/** In a text of several lines, where Enter begins the next one, Ctrl or Command with Enter sends the form. */
export function submitOnCtrlEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}
