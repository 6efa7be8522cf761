'use client'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { Panel } from '@/app/_components/box'
import { FormBanner } from '@/app/_components/fields'
import { ChevronDownIcon, ChevronRightIcon, LockIcon, SearchIcon } from '@/app/_components/icons'
import { ListSkeleton } from '@/app/_components/list-skeleton'
import { PasswordField } from '@/app/_components/password-field'
import { Button, FormControl, TextInput } from '@/app/_components/primer'
import { useHydrated } from '@/app/_lib/workarounds/use-hydrated'
import { CallSheet } from './call-sheet'
import { type ApiCall, groupsOf, narrowed } from './description'
import styles from './docs.module.css'
import { callQuery, outlineQuery } from './fetch-description'
import { withCode } from './parameter-field'

/**
 * List of all endpoints, grouped by topic. Each endpoint can be expanded and tried with an access token,
 * which is never stored.
 */
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
      <TokenPanel isSignedIn={isSignedIn} token={token} onToken={setToken} />
      <search className={styles.filter}>
        <FormControl>
          <FormControl.Label>Search endpoints</FormControl.Label>
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
          {outline.data ? `${count} ${count === 1 ? 'endpoint' : 'endpoints'}` : ''}
        </p>
      </search>
      {outline.isError ? (
        <FormBanner
          title="The API description couldn’t be loaded"
          message="Check your connection and reload the page."
        />
      ) : null}
      {outline.isPending ? <ListSkeleton rows={8} /> : null}
      <div className={styles.columns}>
        {shown.length > 0 ? (
          <nav aria-label="Endpoint groups" className={styles.groups}>
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

interface TokenPanelProps {
  isSignedIn: boolean
  token: string
  onToken: (token: string) => void
}

/** Panel for the access token with which requests are sent. */
function TokenPanel({ isSignedIn, token, onToken }: TokenPanelProps): ReactNode {
  const hydrated = useHydrated()
  return (
    <Panel title="Your token">
      <div className={styles.token}>
        <PasswordField
          label="Access token"
          optional
          autoComplete="new-password"
          disabled={!hydrated}
          value={token}
          onChange={event => onToken(event.target.value.trim())}
          caption={
            <>
              Paste a token to send requests as yourself. Your current sign-in isn’t used for these requests.
              The token isn’t stored.{' '}
              {isSignedIn ? (
                <a href="/user/settings/tokens?add=1" target="_blank" rel="noopener" className={styles.link}>
                  Create a token
                </a>
              ) : null}
            </>
          }
        />
      </div>
    </Panel>
  )
}

// The colon prevents conflicts with the IDs of endpoints, which contain none.
const idOfGroup = (title: string): string => `group:${title.toLowerCase()}`

/**
 * Scrolls to the element named in the URL's fragment once the list is loaded, because the browser tries to do
 * so before the element exists.
 */
function OpenNamed({ isReady }: { isReady: boolean }): ReactNode {
  useEffect(() => {
    if (!isReady || !window.location.hash) return
    document.getElementById(decodeURIComponent(window.location.hash.slice(1)))?.scrollIntoView()
  }, [isReady])
  return null
}

interface CallRowProps {
  /** Endpoint from the outline, which contains no description, parameters, or responses. */
  call: ApiCall
  token: string
}

/** Row for an endpoint. Its details are loaded when it is expanded. */
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
            <LockIcon className={styles.lock} aria-label="Requires authentication" />
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
        <p>The description of this endpoint couldn’t be loaded.</p>
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
