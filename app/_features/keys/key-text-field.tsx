'use client'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { submitOnCtrlEnter } from '@/app/_components/fields'
import { UploadIcon } from '@/app/_components/icons'
import { Button, FormControl, Textarea } from '@/app/_components/primer'
import { useHydrated } from '@/app/_lib/workarounds/use-hydrated'
import type { KeyPreview } from '@/server/keys/schema'
import { KeyFacts } from './key-preview'
import styles from './keys.module.css'

interface KeyTextFieldProps {
  field: Pick<UseFormRegisterReturn, 'name' | 'onBlur' | 'ref'>
  value: string
  error: string | undefined
  /** Facts about the key; undefined until they have loaded. */
  preview: KeyPreview | undefined
  onText: (text: string) => void
}

// Longer than any public key. Only this much of a file is read, which is enough to reject a larger one.
const fileLimitBytes = 64 * 1024

/**
 * Field for a public key that is typed, pasted, dropped, or read from a selected file. Each way calls
 * `onText`.
 */
export function KeyTextField({ field, value, error, preview, onText }: KeyTextFieldProps): ReactNode {
  const picker = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const hydrated = useHydrated()

  const takeFile = async (file: File | undefined): Promise<void> => {
    if (file) onText(await file.slice(0, fileLimitBytes).text())
  }
  const drop = (event: DragEvent): void => {
    setOver(false)
    const [file] = event.dataTransfer.files
    if (!file) return
    event.preventDefault()
    void takeFile(file)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an alternative to the button below
    <div
      className={over ? styles.over : styles.field}
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <FormControl>
        <FormControl.Label>Public key</FormControl.Label>
        <Textarea
          ref={field.ref}
          name={field.name}
          value={value}
          aria-required
          readOnly={!hydrated}
          block
          rows={5}
          resize="vertical"
          className={styles.text}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="none"
          autoFocus
          placeholder="ssh-ed25519 AAAA… you@example.com"
          onBlur={field.onBlur}
          onChange={event => onText(event.target.value)}
          onKeyDown={submitOnCtrlEnter}
        />
        {error ? <FormControl.Validation variant="error">{error}</FormControl.Validation> : null}
        <FormControl.Caption>
          Paste the contents of your <code>.pub</code> file, or drop the file here.
        </FormControl.Caption>
      </FormControl>
      <input
        ref={picker}
        type="file"
        accept=".pub,text/plain"
        hidden
        aria-label="Public key file"
        onChange={event => {
          void takeFile(event.target.files?.[0])
          event.target.value = ''
        }}
      />
      <Button size="small" leadingVisual={UploadIcon} onClick={() => picker.current?.click()}>
        Choose a file
      </Button>
      <div role="status" className={styles.status}>
        {value.trim() === '' || error ? null : <KeyFacts preview={preview} />}
      </div>
    </div>
  )
}
