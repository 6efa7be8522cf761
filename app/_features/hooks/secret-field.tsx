'use client'
import { EyeClosedIcon, EyeIcon } from '@primer/octicons-react'
import { type ReactNode, type Ref, useState } from 'react'
import { CopyButton } from '@/app/_components/copy-button'
import { Button, FormControl, TextInput } from '@/app/_components/primer'
import styles from './secret-field.module.css'

interface SecretFieldProps {
  label: string
  caption: ReactNode
  name: string
  value: string
  error: string | undefined
  optional?: boolean
  /** Offers to make one. */
  generate?: () => string
  onChange: (value: string) => void
  ref?: Ref<HTMLInputElement>
}

/** What will be stored and never shown again: hidden while it is typed, shown once it is generated here. */
export function SecretField(props: SecretFieldProps): ReactNode {
  const { label, caption, name, value, error, optional = false, generate, onChange, ref } = props
  const [isShown, setShown] = useState(false)
  return (
    <div>
      <FormControl>
        <FormControl.Label>{optional ? `${label} (optional)` : label}</FormControl.Label>
        <TextInput
          ref={ref}
          name={name}
          block
          monospace
          type={isShown ? 'text' : 'password'}
          aria-required={!optional}
          // Nothing that a browser should keep, or fill in from what it has kept.
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={value}
          onChange={event => onChange(event.target.value)}
          trailingAction={
            <TextInput.Action
              icon={isShown ? EyeClosedIcon : EyeIcon}
              aria-label={isShown ? `Hide ${label.toLowerCase()}` : `Show ${label.toLowerCase()}`}
              onClick={() => setShown(!isShown)}
            />
          }
        />
        {error ? <FormControl.Validation variant="error">{error}</FormControl.Validation> : null}
        <FormControl.Caption>{caption}</FormControl.Caption>
      </FormControl>
      {generate ? (
        <div className={styles.tools}>
          <Button
            size="small"
            onClick={() => {
              onChange(generate())
              setShown(true)
            }}
          >
            Generate
          </Button>
          {isShown && value ? <CopyButton text={value} what={label.toLowerCase()} /> : null}
        </div>
      ) : null}
    </div>
  )
}

/** A new secret in the form that libraries of Standard Webhooks take, 32 random bytes. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}
