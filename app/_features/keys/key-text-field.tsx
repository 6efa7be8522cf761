'use client'
import { UploadIcon } from '@primer/octicons-react'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type DragEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { submitOnCtrlEnter } from '@/app/_components/fields'
import { Banner, Button, FormControl, Textarea } from '@/app/_components/primer'
import { readFailure } from '@/app/_lib/failure'
import { trpc } from '@/app/_lib/trpc'
import { useDebounced } from '@/app/_lib/use-debounced'
import type { KeyPreview } from '@/server/keys/schema'
import { looksLikePrivateKey } from '@/server/keys/ssh/private-key'
import { KeyFacts } from './key-facts'
import styles from './keys.module.css'

interface KeyTextFieldProps {
  field: Pick<UseFormRegisterReturn, 'name' | 'onBlur' | 'ref'>
  value: string
  error: string | undefined
  preview: KeyPreview | undefined
  onText: (text: string) => void
}

// More than any key; whoever drops something else is told so without the browser reading it all.
const fileLimitBytes = 64 * 1024

/** Type, paste, drop or choose: every way leads through `onText`. */
export function KeyTextField({ field, value, error, preview, onText }: KeyTextFieldProps): ReactNode {
  const picker = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)

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
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one more way beside the button below
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
          Paste the line from your <code>.pub</code> file, or drop the file here.
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
        {preview && !error ? <KeyFacts preview={preview} /> : null}
      </div>
    </div>
  )
}

// No key that is accepted comes near this.
const maxLength = 20_000

interface PreviewState {
  facts: KeyPreview | undefined
  problem: string | undefined
  /**
   * Reads the text at once instead of after the pause.
   * @throws {Error} what the server says against it.
   */
  read: () => Promise<KeyPreview>
}

/**
 * Reads a pasted key as the server will, shortly after the last change; tells its comment, which may be empty, once for
 * each new key.
 */
export function useKeyPreview(text: string, onComment: (comment: string) => void): PreviewState {
  const key = useDebounced(text.trim(), 200)
  const isSettled = key !== '' && key === text.trim() && !looksLikePrivateKey(key)
  const isWorthAsking = isSettled && key.length <= maxLength
  const { data, error } = useQuery({
    ...previewQuery(key),
    enabled: isWorthAsking,
    refetchOnWindowFocus: false,
  })
  const queryClient = useQueryClient()
  const read = (): Promise<KeyPreview> => queryClient.fetchQuery(previewQuery(text.trim()))
  const { comment, fingerprint } = (isWorthAsking && data) || {}

  const tellComment = useEffectEvent(onComment)
  useEffect(() => {
    if (fingerprint !== undefined) tellComment(comment ?? '')
  }, [comment, fingerprint])

  if (isSettled && !isWorthAsking)
    return {
      facts: undefined,
      problem: 'This text is too long to be one public key, which has at most 9,728 characters.',
      read,
    }
  if (!isWorthAsking) return { facts: undefined, problem: undefined, read }
  return { facts: data, problem: error ? readFailure(error).message : undefined, read }
}

const previewQuery = (key: string) =>
  queryOptions({
    queryKey: ['key-preview', key],
    queryFn: ({ signal }) => trpc.keys.preview.query({ key }, { signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

/** Loud, and focused: the person must notice before pasting it anywhere else. */
export function PrivateKeyWarning(): ReactNode {
  const ref = useRef<HTMLElement>(null)
  useEffect(() => ref.current?.focus(), [])
  return (
    <div role="alert">
      <Banner
        ref={ref}
        tabIndex={-1}
        variant="critical"
        title="This is a private key"
        description={
          <>
            It was not sent anywhere and has been cleared from the form. A private key must never leave your
            machine. Paste the contents of the file that ends in <code>.pub</code> instead. If you have pasted
            the private key anywhere else, make a new pair and delete the old one.
          </>
        }
      />
    </div>
  )
}
