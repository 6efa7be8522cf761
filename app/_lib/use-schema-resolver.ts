'use client'
import { useEffect, useState } from 'react'
import type { FieldValues, Resolver } from 'react-hook-form'
import type { z } from 'zod'

type LoadSchema<Input, Output> = () => Promise<z.ZodType<Output, Input>>

/** Validates a form with the server's own schema, which is fetched when someone starts typing. */
export function useSchemaResolver<Input extends FieldValues, Output>(
  load: LoadSchema<Input, Output>,
): Resolver<Input, unknown, Output> {
  const [{ fetch, resolver }] = useState(() => schemaResolver(load))
  useEffect(() => {
    const begin = (): void => void fetch().catch(() => undefined)
    window.addEventListener('input', begin, { once: true, passive: true })
    return () => window.removeEventListener('input', begin)
  }, [fetch])
  return resolver
}

interface SchemaResolver<Input extends FieldValues, Output> {
  fetch: () => Promise<Resolver<Input, unknown, Output>>
  resolver: Resolver<Input, unknown, Output>
}

/**
 * Creates a resolver. If the schema can't be fetched, the form is sent unvalidated, because the server
 * validates it anyway.
 */
export function schemaResolver<Input extends FieldValues, Output>(
  load: LoadSchema<Input, Output>,
): SchemaResolver<Input, Output> {
  let fetched: Promise<Resolver<Input, unknown, Output>> | undefined
  const fetch = (): Promise<Resolver<Input, unknown, Output>> => {
    // biome-ignore lint/style/noRestrictedImports: this is what fetches it
    fetched ??= Promise.all([load(), import('@hookform/resolvers/zod')]).then(
      ([schema, { zodResolver }]) => zodResolver(schema) as Resolver<Input, unknown, Output>,
    )
    return fetched
  }
  return {
    fetch,
    resolver: async (values, context, options) => {
      try {
        return await (await fetch())(values, context, options)
      } catch {
        fetched = undefined
        return { values: values as unknown as Output, errors: {} } as Awaited<
          ReturnType<Resolver<Input, unknown, Output>>
        >
      }
    },
  }
}
