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

const everything = 'Revoke keys, tokens, and sessions'

/**
 * Panel for revoking all credentials of the viewer's own account. Success signs them out and redirects to the
 * sign-in page.
 */
export function RevokeOwn({ username, hasPassword }: { username: string; hasPassword: boolean }): ReactNode {
  return (
    <div className={styles.apart}>
      <Panel title="Revoke access">
        <div className={form.form}>
          <p>
            Lost a device, or think someone else accessed your account? This deletes all your SSH keys,
            revokes all your access tokens, cancels the repository transfers you offered, and signs you out
            everywhere, including here.
          </p>
          <div className={form.actions}>
            <AskButton
              label={everything}
              done="Revoked all your keys, tokens, and sessions"
              // A full page load, so that none of this person's data stays in memory.
              onDone={() => window.location.assign('/-/sign-in?revoked=1&next=/user/settings/password')}
              dialog={asked => (
                <RevokeDialog
                  {...asked}
                  title="Revoke all your keys, tokens, and sessions?"
                  preview={() => trpc.removals.previewRevokeOwn.query()}
                  asksPassword={hasPassword}
                  run={password =>
                    trpc.removals.revokeOwn.mutate(hasPassword ? { current_password: password } : {})
                  }
                >
                  <p>
                    This doesn’t remove deploy keys, collaborators, webhooks, or runners. Check{' '}
                    <QuietLink href={`/${username}`} inline>
                      your repositories
                    </QuietLink>
                    , your{' '}
                    <QuietLink href="/user/settings/hooks" inline>
                      webhooks
                    </QuietLink>
                    , and your{' '}
                    <QuietLink href="/user/settings/actions/runners" inline>
                      runners
                    </QuietLink>{' '}
                    for anything you don’t recognize.
                  </p>
                  <p>
                    You’ll also be signed out here. This can’t be undone. Your password stays the same. Change
                    it if someone else might know it.
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

/** Panel for administrators that revokes all credentials of another person's account. */
export function RevokeOf({ username }: { username: string }): ReactNode {
  const queryClient = useQueryClient()
  return (
    <Panel title="Revoke access">
      <div className={form.form}>
        <p>
          Think someone else accessed this account? This deletes all its SSH keys, revokes all its access
          tokens, cancels the repository transfers it offered, and ends all its sessions.
        </p>
        <div className={form.actions}>
          <AskButton
            label={everything}
            done={`Revoked all of ${username}’s keys, tokens, and sessions`}
            onDone={() => queryClient.invalidateQueries({ queryKey: sshKeysKey(username) })}
            dialog={asked => (
              <RevokeDialog
                {...asked}
                title={`Revoke all of ${username}’s keys, tokens, and sessions?`}
                preview={() => trpc.removals.previewRevokeOf.query({ username })}
                asksPassword={false}
                run={() => trpc.removals.revokeOf.mutate({ username })}
              >
                <p>
                  This doesn’t remove deploy keys, collaborators, webhooks, or runners. Check the account and{' '}
                  <QuietLink href={`/${username}`} inline>
                    its repositories
                  </QuietLink>{' '}
                  for anything the owner doesn’t recognize.
                </p>
                <p>
                  {username} will be signed out everywhere. This can’t be undone. The password stays the same.
                  Set a new one if someone else might know it.
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

/** Dialog that lists the effects of a revocation, and asks for a password if `asksPassword` is set. */
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
          <p>Checking what’s affected…</p>
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

/**
 * Returns a query for the effects of a revocation. Its result is not cached after the dialog closes, so each
 * dialog shows current data.
 */
const previewQuery = (title: string, preview: () => Promise<Revocation>) =>
  queryOptions({
    queryKey: ['revocation', title],
    queryFn: preview,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
