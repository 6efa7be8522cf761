'use client'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { readFailure } from '@/app/_lib/failure'
import { signInPath } from '@/app/_lib/paths'
import { toast } from '@/app/_lib/toast'
import { byNobody, trpc } from '@/app/_lib/trpc'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { dismissViewerChange, endViewerChange, noteViewerChange, type Viewer } from '@/app/_lib/viewer'
import { stopAsking } from '@/app/_lib/workarounds/use-unsaved-warning'
import { FormBanner } from './fields'
import form from './form.module.css'
import { ButtonLink } from './links'
import { PasswordField } from './password-field'
import { Button, Dialog } from './primer'

interface ViewerDialogProps {
  viewer: Viewer | undefined
  /** Username of the person who is now signed in. Null if no one is. */
  now: string | null
}

/** Dialog that explains that the browser's session has changed, and asks what to do with the open page. */
export function ViewerDialog({ viewer, now }: ViewerDialogProps): ReactNode {
  return now === null && viewer ? (
    <SessionEnded viewer={viewer} />
  ) : (
    <SomebodyElse former={viewer?.login} now={now} />
  )
}

/**
 * Signs the same person in again without leaving the page. Anyone else has to use the sign-in page, which
 * discards what was typed.
 */
function SessionEnded({ viewer }: { viewer: Viewer }): ReactNode {
  const { login } = viewer
  const queryClient = useQueryClient()
  const password = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string>()
  const [isPending, setPending] = useState(false)

  const submit = useSingleFlight(async () => {
    setPending(true)
    try {
      const typed = password.current?.value ?? ''
      const { user } = await trpc.sessions.signIn.mutate({ login, password: typed }, byNobody)
      // The account may have been renamed, and its former name may now belong to someone else.
      if (user.id !== viewer.id) return noteViewerChange(user.login, 'mutation')
      endViewerChange()
      toast.success(`Signed in again as ${login}`)
      await queryClient.invalidateQueries()
    } catch (error) {
      setProblem(readFailure(error).message)
      password.current?.select()
    } finally {
      setPending(false)
    }
  })
  // The dialog may be inside a form of the page, which must not be submitted.
  const signIn = (event: FormEvent): void => {
    event.stopPropagation()
    void submit(event)
  }

  return (
    <Dialog title="Your session ended" onClose={dismissViewerChange} initialFocusRef={password}>
      <form className={form.form} onSubmit={signIn} noValidate method="post">
        <p>
          You were signed in as <strong>{login}</strong>. Sign in again to continue. What you typed is still
          here.
        </p>
        <FormBanner title="Couldn’t sign in" message={problem} />
        {/* Tells password managers whose password this is. */}
        <input type="text" name="username" autoComplete="username" value={login} readOnly hidden />
        <PasswordField ref={password} name="password" label="Password" autoComplete="current-password" />
        <div className={form.actions}>
          <Button type="submit" variant="primary" loading={isPending}>
            Sign in
          </Button>
          <ButtonLink href={signInPath(window.location)}>Sign in as someone else</ButtonLink>
        </div>
      </form>
    </Dialog>
  )
}

interface SomebodyElseProps {
  former: string | undefined
  now: string | null
}

function SomebodyElse({ former, now }: SomebodyElseProps): ReactNode {
  const reload = (): void => {
    stopAsking()
    // Not a reload, after which browsers would restore what was typed.
    window.location.replace(window.location.pathname + window.location.search)
  }
  return (
    <Dialog
      title={now === null ? 'You’re no longer signed in' : `You’re signed in as ${now} in another tab`}
      role="alertdialog"
      onClose={dismissViewerChange}
      footerButtons={[
        { content: 'Keep this page', autoFocus: true, onClick: dismissViewerChange },
        {
          content: now === null ? 'Reload' : `Reload as ${now}`,
          buttonType: 'primary',
          onClick: reload,
        },
      ]}
    >
      <p>
        This page was opened {former === undefined ? 'before you signed in' : `by ${former}`}, so nothing was
        changed. Reload it to continue. Reloading discards anything you’ve typed, so copy what you need first.
      </p>
    </Dialog>
  )
}
