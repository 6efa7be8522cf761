import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import type { ReactNode } from 'react'
import { FormBanner } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { TextLink } from '@/app/_components/links'
import { Button } from '@/app/_components/primer'
import { AuthCard } from '@/app/_features/auth/auth-card'
import { safeNext } from '@/app/_lib/paths'
import { currentSession, type SearchParams, textParam } from '@/app/_lib/server'
import { viewerName } from '@/server/auth/page-viewer'

export const metadata: Metadata = { title: 'Sign out' }

/** An address alone must not sign anybody out: every site can have a browser open one. */
export default async function SignOutPage({
  searchParams,
}: {
  searchParams: SearchParams
}): Promise<ReactNode> {
  const session = await currentSession()
  if (!session) redirect('/')
  const { id, login } = session.user
  const isRefused = (await textParam(searchParams, 'refused')) === 'viewerChanged'
  const next = safeNext(await textParam(searchParams, 'next'))
  return (
    <AuthCard
      title="Sign out of Guildhall"
      lead={`You are signed in as ${login}.`}
      below={
        isRefused ? (
          <TextLink href={next} inline>
            {`Go on as ${login}`}
          </TextLink>
        ) : null
      }
    >
      <form className={form.form} method="post" action="/-/forms/sign-out">
        <FormBanner
          title="Nothing was changed"
          message={
            isRefused
              ? `This browser was signed in as ${login} after that page was opened. To sign in as somebody else, sign out first.`
              : undefined
          }
        />
        <input type="hidden" name="viewer" value={viewerName(id)} />
        <Button type="submit" variant="primary" block>
          Sign out
        </Button>
      </form>
    </AuthCard>
  )
}
