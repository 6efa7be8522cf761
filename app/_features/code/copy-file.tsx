'use client'
import { type ReactNode, useState } from 'react'
import { copyText } from '@/app/_components/copy-button'
import { CheckIcon, CopyIcon } from '@/app/_components/icons'
import { Button } from '@/app/_components/primer'
import { toast } from '@/app/_lib/toast'

/** Button that copies the content of a file, which it fetches. */
export function CopyFile({ raw }: { raw: string }): ReactNode {
  const [isDone, setDone] = useState(false)
  const copy = async (): Promise<void> => {
    try {
      const response = await fetch(raw)
      if (!response.ok) throw new Error(String(response.status))
      await copyText(await response.text())
      setDone(true)
      setTimeout(() => setDone(false), 2_000)
    } catch {
      toast.error('The file couldn’t be copied. Open it with “Raw” instead.')
    }
  }
  return (
    <Button
      size="small"
      variant="invisible"
      leadingVisual={isDone ? CheckIcon : CopyIcon}
      onClick={() => void copy()}
    >
      {isDone ? 'Copied' : 'Copy'}
    </Button>
  )
}
