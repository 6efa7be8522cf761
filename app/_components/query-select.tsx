'use client'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import type { ReactNode } from 'react'
import { FormControl, Select } from './primer'

interface QuerySelectProps {
  label: string
  /** What it is called in the address. */
  name: string
  value: string
  /** The first is meant when the address names none. */
  choices: readonly { value: string; label: string }[]
}

/** A choice for a list that is in the address, so that it can be kept and shared. */
export function QuerySelect({ label, name, value, choices }: QuerySelectProps): ReactNode {
  const router = useRouter()
  const pathname = usePathname()
  const search = useSearchParams()

  const choose = (wanted: string): void => {
    const params = new URLSearchParams(search)
    params.delete('page')
    if (wanted === choices[0]?.value) params.delete(name)
    else params.set(name, wanted)
    router.replace(params.size > 0 ? `${pathname}?${params}` : pathname, { scroll: false })
  }

  return (
    <FormControl>
      <FormControl.Label visuallyHidden>{label}</FormControl.Label>
      <Select value={value} onChange={event => choose(event.target.value)}>
        {choices.map(choice => (
          <Select.Option key={choice.value} value={choice.value}>
            {choice.label}
          </Select.Option>
        ))}
      </Select>
    </FormControl>
  )
}
