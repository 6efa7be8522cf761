'use client'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Panel } from '@/app/_components/box'
import { ConfirmButton } from '@/app/_components/confirm-button'
import { CommandLine } from '@/app/_components/copy-button'
import form from '@/app/_components/form.module.css'
import { Banner, Button } from '@/app/_components/primer'
import { RelativeDate } from '@/app/_components/relative-date'
import { readFailure } from '@/app/_lib/failure'
import { queryKeys } from '@/app/_lib/queries'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { useUnsavedWarning } from '@/app/_lib/use-unsaved-warning'
import type { ManagedHook } from '@/server/hooks/manage/schema'
import type { HookPlaceName } from '@/server/hooks/schema'
import styles from './hooks.module.css'
import { newSecret, SecretField } from './secret-field'

interface SealedPanelsProps {
  place: HookPlaceName
  hook: ManagedHook
}

/** The secret and the authorization header of a hook: whether they are there, and new ones for them. */
export function SealedPanels({ place, hook }: SealedPanelsProps): ReactNode {
  const {
    id,
    has_secret: hasSecret,
    has_authorization_header: hasAuthorization,
    former_secret_until: until,
  } = hook
  return (
    <>
      <SealedPanel
        place={place}
        title="Secret"
        label="New secret"
        isSet={hasSecret}
        about={
          <>
            {hasSecret
              ? 'A secret is set, and signs what is sent. Nobody can see it.'
              : 'There is none: the receiver cannot tell whether a delivery is from here.'}
            {until === null ? null : (
              <>
                {' '}
                The former one signs as well, and stops <RelativeDate value={until} future />.
              </>
            )}
          </>
        }
        caption="For a day, the former secret signs beside the new one: enter the new one at the receiver within it."
        removal="Signatures are empty from then on, and receivers that check them refuse what is sent."
        generate={newSecret}
        save={secret => trpc.hooks.set.mutate({ place, id, secret })}
      />
      <SealedPanel
        place={place}
        title="Authorization header"
        label="New authorization header"
        isSet={hasAuthorization}
        about={
          hasAuthorization
            ? 'One is set, and goes with every delivery. Nobody can see it.'
            : 'None is sent. Some receivers ask for one, such as “Bearer …”.'
        }
        caption="Sent as it is, from the next attempt on."
        removal="Deliveries are sent without it from then on."
        save={header => trpc.hooks.set.mutate({ place, id, authorization_header: header })}
      />
    </>
  )
}

interface SealedPanelProps {
  place: HookPlaceName
  title: string
  label: string
  isSet: boolean
  about: ReactNode
  caption: string
  /** What follows when it is taken away. */
  removal: string
  generate?: () => string
  save: (value: string) => Promise<unknown>
}

function SealedPanel(props: SealedPanelProps): ReactNode {
  const { place, title, label, isSet, about, caption, removal, generate, save } = props
  const queryClient = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [saved, setSaved] = useState<string>()
  const opener = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(isOpen)
  // The keyboard was in the form, and goes back to what opened it.
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: queryKeys.hooks(place) })

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
                stays
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
    if (value === '') return setProblem('Enter one, or cancel.')
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
          <p>The receiver needs it. It is gone from here once you leave this page.</p>
          <CommandLine command={secret} what="secret" />
        </div>
      }
    />
  )
}
