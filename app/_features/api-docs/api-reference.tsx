'use client'
import { ChevronDownIcon, ChevronRightIcon, LockIcon, SearchIcon } from '@primer/octicons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { Panel } from '@/app/_components/box'
import { FormBanner } from '@/app/_components/fields'
import { TextLink } from '@/app/_components/links'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { PasswordField } from '@/app/_components/password-field'
import { FormControl, TextInput } from '@/app/_components/primer'
import { useHydrated } from '@/app/_lib/use-hydrated'
import { type CallProps, CallSheet } from './call-sheet'
import { type ApiDescription, groupsOf, narrowed } from './description'
import styles from './docs.module.css'

/** All calls by what they are about, each to be opened, and tried with a token that is kept nowhere. */
export function ApiReference({ isSignedIn }: { isSignedIn: boolean }): ReactNode {
  const hydrated = useHydrated()
  const [text, setText] = useState('')
  const [token, setToken] = useState('')
  const description = useQuery({
    queryKey: ['api-description'],
    queryFn: fetchDescription,
    staleTime: Infinity,
  })
  const groups = useMemo(() => groupsOf(description.data ?? { paths: {} }), [description.data])
  const shown = narrowed(groups, text)
  const count = shown.reduce((sum, { calls }) => sum + calls.length, 0)

  return (
    <>
      <Panel title="Your token">
        <div className={styles.token}>
          <PasswordField
            label="Access token"
            optional
            autoComplete="new-password"
            disabled={!hydrated}
            value={token}
            onChange={event => setToken(event.target.value.trim())}
            caption={
              <>
                For trying calls as yourself: the API takes tokens and passwords, and your being signed in
                here does not count for it. It is kept in this page only, and gone when you leave it.{' '}
                {isSignedIn ? (
                  <TextLink href="/user/settings/tokens?add=1" inline>
                    Create a token
                  </TextLink>
                ) : null}
              </>
            }
          />
        </div>
      </Panel>
      <search className={styles.filter}>
        <FormControl>
          <FormControl.Label>Find a call</FormControl.Label>
          <TextInput
            block
            type="search"
            leadingVisual={SearchIcon}
            placeholder="keys, POST, /orgs …"
            autoComplete="off"
            disabled={!hydrated}
            value={text}
            onChange={event => setText(event.target.value)}
          />
        </FormControl>
        <p role="status" className={styles.count}>
          {description.data ? `${count} ${count === 1 ? 'call' : 'calls'}` : ''}
        </p>
      </search>
      {description.isError ? (
        <FormBanner
          title="The description of the API could not be loaded"
          message="Check your connection and reload the page."
        />
      ) : null}
      {description.isPending ? <ListSkeleton rows={8} /> : null}
      {shown.map(group => (
        <section key={group.title} aria-label={group.title} className={styles.group}>
          <h2 className={styles.title}>{group.title}</h2>
          <ul className={styles.calls}>
            {group.calls.map(call => (
              <CallRow
                key={call.id}
                call={call}
                base={description.data?.servers?.[0]?.url ?? ''}
                schemas={description.data?.components?.schemas ?? {}}
                token={token}
              />
            ))}
          </ul>
        </section>
      ))}
      <OpenNamed isReady={description.isSuccess} />
    </>
  )
}

async function fetchDescription(): Promise<ApiDescription> {
  const response = await fetch('/api/v1/openapi.json', { credentials: 'omit' })
  if (!response.ok) throw new Error(`The description of the API was answered with ${response.status}.`)
  return (await response.json()) as ApiDescription
}

/** The browser looked for the call named behind the `#` before there was any. */
function OpenNamed({ isReady }: { isReady: boolean }): ReactNode {
  useEffect(() => {
    if (!isReady || !window.location.hash) return
    document.getElementById(decodeURIComponent(window.location.hash.slice(1)))?.scrollIntoView()
  }, [isReady])
  return null
}

/** One line for a call; what there is to say about it is drawn once it is opened. */
function CallRow(props: CallProps): ReactNode {
  const { id, method, path, summary, credentials } = props.call
  const [isOpen, setOpen] = useState(() => window.location.hash === `#${id}`)
  const Chevron = isOpen ? ChevronDownIcon : ChevronRightIcon

  const toggle = (): void => {
    setOpen(!isOpen)
    if (!isOpen) window.history.replaceState(window.history.state, '', `#${id}`)
  }

  return (
    <li id={id} className={styles.call}>
      <h3 className={styles.heading}>
        <button
          type="button"
          className={styles.line}
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${id}-sheet` : undefined}
          onClick={toggle}
        >
          <Chevron className={styles.chevron} />
          <span className={styles.method} data-method={method}>
            {method}
          </span>
          <code className={styles.path}>{path}</code>
          <span className={styles.summary}>{summary}</span>
          {credentials === 'needed' ? (
            <LockIcon className={styles.lock} aria-label="Needs credentials" />
          ) : null}
        </button>
      </h3>
      {isOpen ? (
        <div id={`${id}-sheet`} className={styles.sheet}>
          <CallSheet {...props} />
        </div>
      ) : null}
    </li>
  )
}
