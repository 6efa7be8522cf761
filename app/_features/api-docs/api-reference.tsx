'use client'
import { ChevronDownIcon, ChevronRightIcon, LockIcon, SearchIcon } from '@primer/octicons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { Panel } from '@/app/_components/box'
import { FormBanner } from '@/app/_components/fields'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { PasswordField } from '@/app/_components/password-field'
import { Button, FormControl, TextInput } from '@/app/_components/primer'
import { useHydrated } from '@/app/_lib/workarounds/use-hydrated'
import { CallSheet } from './call-sheet'
import { type ApiCall, groupsOf, narrowed } from './description'
import styles from './docs.module.css'
import { callQuery, outlineQuery } from './fetch-description'
import { withCode } from './parameter-field'

/** All calls by what they are about, each to be opened, and tried with a token that is kept nowhere. */
export function ApiReference({ isSignedIn }: { isSignedIn: boolean }): ReactNode {
  const hydrated = useHydrated()
  const [text, setText] = useState('')
  const [token, setToken] = useState('')
  const outline = useQuery(outlineQuery)
  const groups = useMemo(() => groupsOf(outline.data ?? { paths: {} }), [outline.data])
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
                Paste a token to try calls as yourself. Being signed in to this page is not enough. The token
                stays on this page.{' '}
                {isSignedIn ? (
                  <a
                    href="/user/settings/tokens?add=1"
                    target="_blank"
                    rel="noopener"
                    className={styles.link}
                  >
                    Create a token
                  </a>
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
          {outline.data ? `${count} ${count === 1 ? 'call' : 'calls'}` : ''}
        </p>
      </search>
      {outline.isError ? (
        <FormBanner
          title="The description of the API could not be loaded"
          message="Check your connection and reload the page."
        />
      ) : null}
      {outline.isPending ? <ListSkeleton rows={8} /> : null}
      <div className={styles.columns}>
        {shown.length > 0 ? (
          <nav aria-label="Groups of calls" className={styles.groups}>
            <ul>
              {shown.map(({ title, calls }) => (
                <li key={title}>
                  <a href={`#${idOfGroup(title)}`} className={styles.groupLink}>
                    <span data-label={title}>{title}</span>{' '}
                    <span className={styles.groupCount}>{calls.length}</span>
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        ) : null}
        <div className={styles.list}>
          {shown.map(group => (
            <section
              key={group.title}
              id={idOfGroup(group.title)}
              aria-label={group.title}
              className={styles.group}
            >
              <h2 className={styles.title}>{group.title}</h2>
              <ul className={styles.calls}>
                {group.calls.map(call => (
                  <CallRow key={call.id} call={call} token={token} />
                ))}
              </ul>
            </section>
          ))}
        </div>
      </div>
      <OpenNamed isReady={outline.isSuccess} />
    </>
  )
}

// No call has an id with a colon.
const idOfGroup = (title: string): string => `group:${title.toLowerCase()}`

/** The browser looked for the call named behind the `#` before there was any. */
function OpenNamed({ isReady }: { isReady: boolean }): ReactNode {
  useEffect(() => {
    if (!isReady || !window.location.hash) return
    document.getElementById(decodeURIComponent(window.location.hash.slice(1)))?.scrollIntoView()
  }, [isReady])
  return null
}

interface CallRowProps {
  /** As far as a list tells it. */
  call: ApiCall
  token: string
}

/** One line for a call; what there is to say about it is fetched once it is opened. */
function CallRow({ call, token }: CallRowProps): ReactNode {
  const { id, method, path, summary, credentials } = call
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
          <span className={styles.summary}>{withCode(summary)}</span>
          {credentials === 'needed' ? (
            <LockIcon className={styles.lock} aria-label="Needs credentials" />
          ) : null}
        </button>
      </h3>
      {isOpen ? (
        <div id={`${id}-sheet`} className={styles.sheet}>
          <CallDetails id={id} token={token} />
        </div>
      ) : null}
    </li>
  )
}

function CallDetails({ id, token }: { id: string; token: string }): ReactNode {
  const { data, isError, isFetching, refetch } = useQuery(callQuery(id))
  const [call] = data ? groupsOf(data).flatMap(({ calls }) => calls) : []
  if (isError)
    return (
      <div role="alert">
        <p>The description of this call could not be loaded.</p>
        <Button size="small" loading={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    )
  if (!data || !call) return <ListSkeleton rows={3} />
  return (
    <CallSheet
      call={call}
      base={data.servers?.[0]?.url ?? ''}
      schemas={data.components?.schemas ?? {}}
      token={token}
    />
  )
}
