'use client'
import type { KeyboardEvent, ReactNode, Ref } from 'react'
import { useHydrated } from '@/app/_lib/workarounds/use-hydrated'
import { Banner } from './banner'
import styles from './form.module.css'
import { Checkbox, FormControl, Textarea, TextInput } from './primer'

type TextFieldProps = Omit<Parameters<typeof TextInput>[0], 'ref' | 'type'> & {
  label: string
  type?: 'text' | 'email' | 'url' | 'search' | 'date'
  caption?: ReactNode
  error?: string | undefined
  optional?: boolean
  ref?: Ref<HTMLInputElement>
}

/**
 * Labeled text field with a caption and an error message. Unless `readOnly` is set, the field is read-only
 * until the page is hydrated, because earlier input would be lost.
 */
export function TextField({ label, caption, error, optional = false, ...input }: TextFieldProps): ReactNode {
  const hydrated = useHydrated()
  return (
    <FormControl>
      <FormControl.Label>{optional ? `${label} (optional)` : label}</FormControl.Label>
      <TextInput block dir="auto" aria-required={!optional} readOnly={!hydrated} {...input} />
      {error ? <FormControl.Validation variant="error">{error}</FormControl.Validation> : null}
      {caption ? <FormControl.Caption>{caption}</FormControl.Caption> : null}
    </FormControl>
  )
}

type TextareaFieldProps = Omit<Parameters<typeof Textarea>[0], 'ref'> & {
  label: string
  caption?: ReactNode
  error?: string | undefined
  optional?: boolean
  ref?: Ref<HTMLTextAreaElement>
}

/** Like `TextField`, for several lines. */
export function TextareaField({
  label,
  caption,
  error,
  optional = false,
  ...input
}: TextareaFieldProps): ReactNode {
  const hydrated = useHydrated()
  return (
    <FormControl>
      <FormControl.Label>{optional ? `${label} (optional)` : label}</FormControl.Label>
      <Textarea
        block
        resize="vertical"
        dir="auto"
        aria-required={!optional}
        readOnly={!hydrated}
        onKeyDown={submitOnCtrlEnter}
        {...input}
      />
      {error ? <FormControl.Validation variant="error">{error}</FormControl.Validation> : null}
      {caption ? <FormControl.Caption>{caption}</FormControl.Caption> : null}
    </FormControl>
  )
}

/** Submits the form on Ctrl+Enter or Command+Enter, because Enter alone starts a new line. */
export function submitOnCtrlEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}

type CheckFieldProps = Omit<Parameters<typeof Checkbox>[0], 'ref'> & {
  label: string
  caption?: ReactNode
  ref?: Ref<HTMLInputElement>
}

export function CheckField({ label, caption, disabled, ...input }: CheckFieldProps): ReactNode {
  return (
    <FormControl disabled={disabled}>
      <Checkbox {...input} />
      <FormControl.Label>{label}</FormControl.Label>
      {caption ? <FormControl.Caption>{caption}</FormControl.Caption> : null}
    </FormControl>
  )
}

/** Error message for a whole form. Renders nothing without a message. */
export function FormBanner({ title, message }: { title: string; message: string | undefined }): ReactNode {
  if (!message) return null
  return (
    <div role="alert">
      <Banner variant="critical" title={title} description={message} />
    </div>
  )
}

interface ChoiceGroupProps {
  legend: string
  /** ID of the element with the error message, if there is one. */
  describedBy?: string | undefined
  children: ReactNode
}

/** Radio buttons or checkboxes under a common legend. */
export function ChoiceGroup({ legend, describedBy, children }: ChoiceGroupProps): ReactNode {
  return (
    <fieldset className={styles.group} aria-describedby={describedBy}>
      <legend className={styles.legend}>{legend}</legend>
      {children}
    </fieldset>
  )
}
