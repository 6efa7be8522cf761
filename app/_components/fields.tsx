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
 * A labeled line of text with its explanation and what is wrong with it. It takes no text before the page is awake, which would
 * be lost then, unless `readOnly` says so.
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

/** As `TextField`, for several lines. */
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

/** In a text of several lines, where Enter begins the next one, Ctrl or Command with Enter sends the form. */
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

/** What went wrong with a whole form, or nothing. */
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
  /** The id of what is wrong with the choice, if anything is. */
  describedBy?: string | undefined
  children: ReactNode
}

/** Choices that belong together under one heading. */
export function ChoiceGroup({ legend, describedBy, children }: ChoiceGroupProps): ReactNode {
  return (
    <fieldset className={styles.group} aria-describedby={describedBy}>
      <legend className={styles.legend}>{legend}</legend>
      {children}
    </fieldset>
  )
}
