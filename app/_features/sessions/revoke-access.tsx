'use client'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { Panel } from '@/app/_components/box'
import { AskButton, LazyConfirmDialog } from '@/app/_components/confirm-button'
import form from '@/app/_components/form.module.css'
import { QuietLink } from '@/app/_components/links'
import { PasswordField } from '@/app/_components/password-field'
import { readFailure } from '@/app/_lib/failure'
import { sshKeysKey } from '@/app/_lib/queries/keys'
import { trpc } from '@/app/_lib/trpc'
import type { Revocation } from '@/server/removals/schema'
import { revocationSentences } from './revocation-sentences'
import styles from './sessions.module.css'

const everything = 'Revoke all keys, tokens and sessions'

/** For the viewer's own account; it leads to the page for signing in. */
export function RevokeOwn({ username, hasPassword }: { username: string; hasPassword: boolean }): ReactNode {
  return (
    <div className={styles.apart}>
      <Panel title="Revoke access">
        <div className={form.form}>
          <p>
            If a machine was lost, or somebody else may have got into your account: this deletes all your SSH
            keys, revokes all your access tokens, cancels transfers of repositories that you offered, and
            signs you out everywhere, here too.
          </p>
          <div className={form.actions}>
            <AskButton
              label={everything}
              done="Revoked all your keys, tokens and sessions"
              // A whole new page, so that nothing this person has read stays in memory.
              onDone={() => window.location.assign('/-/sign-in?revoked=1&next=/user/settings/password')}
              dialog={asked => (
                <RevokeDialog
                  {...asked}
                  title="Revoke all your keys, tokens and sessions?"
                  preview={() => trpc.removals.previewRevokeOwn.query()}
                  asksPassword={hasPassword}
                  run={password =>
                    trpc.removals.revokeOwn.mutate(hasPassword ? { current_password: password } : {})
                  }
                >
                  <p>
                    What was added to your account stays. Look for anything you do not know: deploy keys,
                    webhooks and collaborators of{' '}
                    <QuietLink href={`/${username}`} inline>
                      your repositories
                    </QuietLink>
                    , your{' '}
                    <QuietLink href="/user/settings/hooks" inline>
                      webhooks
                    </QuietLink>{' '}
                    and your{' '}
                    <QuietLink href="/user/settings/actions/runners" inline>
                      runners
                    </QuietLink>
                    .
                  </p>
                  <p>
                    You are signed out here too. Your password stays as it is: change it if somebody else may
                    know it. This cannot be undone.
                  </p>
                </RevokeDialog>
              )}
            />
          </div>
        </div>
      </Panel>
    </div>
  )
}

/** For an account that an administrator looks after. */
export function RevokeOf({ username }: { username: string }): ReactNode {
  const queryClient = useQueryClient()
  return (
    <Panel title="Revoke access">
      <div className={form.form}>
        <p>
          If somebody else may have got into this account: this deletes all its SSH keys, revokes all its
          access tokens, cancels transfers of repositories that it offered, and ends all its sessions.
        </p>
        <div className={form.actions}>
          <AskButton
            label={everything}
            done={`Revoked all keys, tokens and sessions of ${username}`}
            onDone={() => queryClient.invalidateQueries({ queryKey: sshKeysKey(username) })}
            dialog={asked => (
              <RevokeDialog
                {...asked}
                title={`Revoke all keys, tokens and sessions of ${username}?`}
                preview={() => trpc.removals.previewRevokeOf.query({ username })}
                asksPassword={false}
                run={() => trpc.removals.revokeOf.mutate({ username })}
              >
                <p>
                  Runners and webhooks of the account stay, and deploy keys, webhooks and collaborators of{' '}
                  <QuietLink href={`/${username}`} inline>
                    its repositories
                  </QuietLink>
                  : look for anything that its owner does not know.
                </p>
                <p>
                  {username} is signed out everywhere. The password stays as it is: set a new one if somebody
                  else may know it. This cannot be undone.
                </p>
              </RevokeDialog>
            )}
          />
        </div>
      </div>
    </Panel>
  )
}

interface RevokeDialogProps {
  title: string
  preview: () => Promise<Revocation>
  asksPassword: boolean
  run: (password: string) => Promise<Revocation>
  finish: () => Promise<void>
  close: () => void
  children: ReactNode
}

/** Names all that is taken before it is. */
function RevokeDialog(props: RevokeDialogProps): ReactNode {
  const { title, preview, asksPassword, run, finish, close, children } = props
  const [password, setPassword] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const { data, error } = useQuery(previewQuery(title, preview))
  const revoking = useMutation({
    mutationFn: () => run(password),
    onSuccess: finish,
    onError: () => field.current?.focus(),
  })
  const failure = revoking.error ? readFailure(revoking.error) : undefined
  const isOfPassword = failure?.field === 'current_password'
  const isReady = data !== undefined && (!asksPassword || password !== '')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isReady && !revoking.isPending) revoking.mutate()
  }
  return (
    <LazyConfirmDialog
      title={title}
      confirm={everything}
      ready={isReady}
      pending={revoking.isPending}
      failure={isOfPassword ? undefined : failure?.message}
      refusal={error ? readFailure(error).message : undefined}
      {...(asksPassword && { firstField: field })}
      onConfirm={() => revoking.mutate()}
      onClose={close}
    >
      <div role="status">
        {data ? (
          revocationSentences(data).map(sentence => <p key={sentence}>{sentence}</p>)
        ) : (
          <p>Looking up what this takes…</p>
        )}
      </div>
      <form className={form.form} onSubmit={submit} method="post">
        {children}
        {asksPassword ? (
          <PasswordField
            ref={field}
            label="Your password"
            autoComplete="current-password"
            error={isOfPassword ? failure.message : undefined}
            value={password}
            onChange={event => setPassword(event.target.value)}
          />
        ) : null}
      </form>
    </LazyConfirmDialog>
  )
}

/** As of now: never from an earlier look. */
const previewQuery = (title: string, preview: () => Promise<Revocation>) =>
  queryOptions({
    queryKey: ['revocation', title],
    queryFn: preview,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
