import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { Banner } from '@/app/_components/banner'
import { TextLink } from '@/app/_components/links'
import styles from '@/app/_features/auth/auth.module.css'
import { AuthCard } from '@/app/_features/auth/auth-card'
import { SignInForm } from '@/app/_features/auth/sign-in-form'
import { safeNext } from '@/app/_lib/paths'
import { currentSession, instanceStatus, requireSetUp, type SearchParams, textParam } from '@/app/_lib/server'

export const metadata: Metadata = { title: 'Sign in' }

/**
 * Error messages for a sign-in form that was submitted without JavaScript, by the code in the `refused` query
 * parameter.
 */
const refusals = new Map([
  ['unauthenticated', 'Incorrect username or password.'],
  ['forbidden', 'This account can’t sign in. Contact a site administrator.'],
  ['tooManyRequests', 'Too many failed sign-in attempts. Try again later.'],
  ['invalid', 'Enter your username or email address and your password.'],
])

export default async function SignInPage({
  searchParams,
}: {
  searchParams: SearchParams
}): Promise<ReactNode> {
  await requireSetUp()
  const next = safeNext(await textParam(searchParams, 'next'))
  if (await currentSession()) redirect(next)
  const { registration } = await instanceStatus()

  return (
    <AuthCard
      title="Sign in to Guildhall"
      below={
        registration ? (
          <>
            New here?{' '}
            <TextLink href="/-/register" inline>
              Create an account
            </TextLink>
          </>
        ) : null
      }
    >
      {(await textParam(searchParams, 'revoked')) ? (
        <Notice title="You were signed out everywhere" description="Sign in to continue." />
      ) : null}
      {(await textParam(searchParams, 'reserved')) ? (
        <Notice
          title="Sign in to see this page"
          description="This site shows comparisons and old history only to people who are signed in."
        />
      ) : null}
      <SignInForm next={next} refusal={refusals.get(await textParam(searchParams, 'refused'))} />
    </AuthCard>
  )
}

const Notice = (props: { title: string; description: string }): ReactNode => (
  <Banner className={styles.notice} variant="info" {...props} />
)
