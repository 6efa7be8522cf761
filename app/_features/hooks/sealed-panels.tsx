'use client'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Banner } from '@/app/_components/banner'
import { Panel } from '@/app/_components/box'
import { ConfirmButton } from '@/app/_components/confirm-button'
import { CommandLine } from '@/app/_components/copy-button'
import form from '@/app/_components/form.module.css'
import { Button } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { readFailure } from '@/app/_lib/failure'
import { hooksKey } from '@/app/_lib/queries/hooks'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { useUnsavedWarning } from '@/app/_lib/workarounds/use-unsaved-warning'
import type { ManagedHook } from '@/server/hooks/manage/schema'
import type { ScopeName } from '@/server/scopes/schema'
import styles from './hooks.module.css'
import { newSecret, SecretField } from './secret-field'

interface SealedPanelsProps {
  scope: ScopeName
  hook: ManagedHook
}

/** Panels for a hook's secret and authorization header: whether they are set, and forms to replace them. */
export function SealedPanels({ scope, hook }: SealedPanelsProps): ReactNode {
  const {
    id,
    has_secret: hasSecret,
    has_authorization_header: hasAuthorization,
    former_secret_until: until,
  } = hook
  return (
    <>
      <SealedPanel
        scope={scope}
        title="Secret"
        label="New secret"
        isSet={hasSecret}
        about={
          <>
            {hasSecret
              ? 'Deliveries are signed with a secret. It can’t be shown again.'
              : 'No secret is set, so the receiver can’t tell your deliveries from forged ones. Generate one and add it to your receiver.'}
            {until === null ? null : (
              <>
                {' '}
                They’re also signed with the previous secret, which expires{' '}
                <RelativeDate value={until} future />.
              </>
            )}
          </>
        }
        caption={
          hasSecret
            ? 'Deliveries are signed with both the old and new secrets for one day. Update your receiver within that time.'
            : 'Add the same secret to your receiver.'
        }
        removal="Deliveries will no longer be signed, and receivers that verify signatures will reject them."
        generate={newSecret}
        save={secret => trpc.hooks.set.mutate({ scope, id, secret })}
      />
      <SealedPanel
        scope={scope}
        title="Authorization header"
        label="New authorization header"
        isSet={hasAuthorization}
        about={
          hasAuthorization
            ? 'An authorization header is sent with every delivery. It can’t be shown again.'
            : 'No authorization header is sent. Some receivers require one, such as “Bearer …”.'
        }
        caption="Sent exactly as entered, starting with the next attempt."
        removal="Deliveries will be sent without it."
        save={header => trpc.hooks.set.mutate({ scope, id, authorization_header: header })}
      />
    </>
  )
}

interface SealedPanelProps {
  scope: ScopeName
  title: string
  label: string
  isSet: boolean
  about: ReactNode
  caption: string
  /** Consequence of removing the value. */
  removal: string
  generate?: () => string
  save: (value: string) => Promise<unknown>
}

function SealedPanel(props: SealedPanelProps): ReactNode {
  const { scope, title, label, isSet, about, caption, removal, generate, save } = props
  const queryClient = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [saved, setSaved] = useState<string>()
  const opener = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(isOpen)
  // The focus was in the form and returns to the button that opened it.
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: hooksKey(scope) })

  return (
    <Panel title={title}>
      <div className={form.form}>
        {saved === undefined || !generate ? null : <SavedSecret secret={saved} />}
        <p>{about}</p>
        {isOpen ? (
          <SealedForm
            label={label}
            caption={caption}
            generate={generate}
            save={async value => {
              await save(value)
              toast.success(`Saved the ${title.toLowerCase()}`)
              setSaved(value)
              await refresh()
            }}
            onClose={() => setOpen(false)}
          />
        ) : (
          <div className={form.actions}>
            <Button ref={opener} onClick={() => setOpen(true)}>
              {isSet ? `Replace ${title.toLowerCase()}` : `Set ${title.toLowerCase()}`}
            </Button>
            {isSet ? (
              <ConfirmButton
                label={`Remove ${title.toLowerCase()}`}
                title={`Remove the ${title.toLowerCase()}?`}
                confirm="Remove"
                run={() => save('')}
                done={`Removed the ${title.toLowerCase()}`}
                onDone={() => {
                  setSaved(undefined)
                  return refresh()
                }}
              >
                <p>{removal}</p>
              </ConfirmButton>
            ) : null}
          </div>
        )}
      </div>
    </Panel>
  )
}

interface SealedFormProps {
  label: string
  caption: string
  generate: (() => string) | undefined
  save: (value: string) => Promise<void>
  onClose: () => void
}

function SealedForm({ label, caption, generate, save, onClose }: SealedFormProps): ReactNode {
  const [value, setValue] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isPending, setPending] = useState(false)
  useUnsavedWarning(value !== '')
  const submit = useSingleFlight(async () => {
    if (value === '') return setProblem('Enter a value.')
    setPending(true)
    try {
      await save(value)
      onClose()
    } catch (error) {
      setProblem(readFailure(error).message)
    } finally {
      setPending(false)
    }
  })
  return (
    <form className={`${form.form} ${form.narrow}`} onSubmit={submit} noValidate method="post">
      <SecretField
        ref={focusOnce}
        label={label}
        name="value"
        value={value}
        error={problem}
        caption={caption}
        {...(generate ? { generate } : {})}
        onChange={next => {
          setValue(next)
          setProblem(undefined)
        }}
      />
      <div className={form.actions}>
        <Button type="submit" variant="primary" loading={isPending}>
          Save
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}

const focusOnce = (input: HTMLInputElement | null): void => input?.focus()

function SavedSecret({ secret }: { secret: string }): ReactNode {
  return (
    <Banner
      variant="success"
      title="Copy the secret now"
      description={
        <div className={styles.stack}>
          <p>Add it to your receiver. It won’t be shown again after you leave this page.</p>
          <CommandLine command={secret} what="secret" />
        </div>
      }
    />
  )
}
