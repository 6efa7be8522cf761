import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { ButtonLink, SignInLink } from './_components/links'
import { Message } from './_components/message'
import { currentPath, currentSession } from './_lib/server'

export const metadata: Metadata = { title: 'Page not found' }

export default async function NotFound(): Promise<ReactNode> {
  const start = (
    <>
      <span data-gone hidden />
      <ButtonLink href="/">Go to the home page</ButtonLink>
    </>
  )
  if (await currentSession()) {
    return (
      <Message title="Page not found" action={start}>
        This page doesn’t exist, or you don’t have access to it.
      </Message>
    )
  }
  return (
    <Message
      title="Page not found"
      action={
        <>
          <SignInLink asked={await currentPath()} /> {start}
        </>
      }
    >
      This page doesn’t exist, or you don’t have access to it. If someone gave you this URL, sign in and try
      again.
    </Message>
  )
}
