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

/**
 * Page that asks the viewer to confirm signing out. Opening the URL alone must not sign anyone out, because
 * any website can make a browser open it.
 */
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
            {`Continue as ${login}`}
          </TextLink>
        ) : null
      }
    >
      <form className={form.form} method="post" action="/-/forms/sign-out">
        <FormBanner
          title="No changes were made"
          message={
            isRefused
              ? `You signed in as ${login} in this browser after you opened that page. To use another account, sign out first.`
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
