import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { ButtonLink, SignInLink } from './_components/links'
import { Message } from './_components/message'
import { currentPath, currentSession } from './_lib/server'

export const metadata: Metadata = { title: 'Not found' }

export default async function NotFound(): Promise<ReactNode> {
  const start = (
    <>
      <span data-gone hidden />
      <ButtonLink href="/">Go to the start page</ButtonLink>
    </>
  )
  if (await currentSession()) {
    return (
      <Message title="There is nothing here" action={start}>
        The page does not exist, or you may not see it.
      </Message>
    )
  }
  return (
    <Message
      title="There is nothing here"
      action={
        <>
          <SignInLink asked={await currentPath()} /> {start}
        </>
      }
    >
      The page does not exist, or only some people may see it. If you were given this address, sign in and
      look again.
    </Message>
  )
}
