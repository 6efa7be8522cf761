'use client'
import { type ReactNode, type Ref, useState } from 'react'
import { CopyButton } from '@/app/_components/copy-button'
import { EyeClosedIcon, EyeIcon } from '@/app/_components/icons'
import { Button, FormControl, TextInput } from '@/app/_components/primer'
import styles from './secret-field.module.css'

interface SecretFieldProps {
  label: string
  caption: ReactNode
  name: string
  value: string
  error: string | undefined
  optional?: boolean
  /** If present, a button generates a value. */
  generate?: () => string
  onChange: (value: string) => void
  ref?: Ref<HTMLInputElement>
}

/**
 * Field for a value that can't be shown again after saving. Typed values are hidden, generated ones are
 * shown.
 */
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
          // Browsers must neither save nor fill in this value.
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

/** Returns a new secret of 32 random bytes in the format of Standard Webhooks. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}
