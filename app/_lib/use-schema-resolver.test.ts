import { expect, it } from 'vitest'
import { z } from 'zod'
import { schemaResolver } from './use-schema-resolver'

const Named = z.object({ name: z.string().trim().min(1, 'Enter a name.') })
const options = { fields: {}, shouldUseNativeValidation: false }

it('schemaResolver reports problems of a form with the messages of its schema', async () => {
  const { resolver } = schemaResolver(async () => Named)
  expect(await resolver({ name: ' ada ' }, undefined, options)).toMatchObject({ values: { name: 'ada' } })
  const { errors } = await resolver({ name: ' ' }, undefined, options)
  expect(errors).toMatchObject({ name: { message: 'Enter a name.' } })
})

it('schemaResolver accepts a form while its schema cannot be fetched, and validates it again afterwards', async () => {
  let isDown = true
  const { resolver } = schemaResolver(async () => {
    if (isDown) throw new Error('the line is down')
    return Named
  })
  expect(await resolver({ name: '' }, undefined, options)).toEqual({ values: { name: '' }, errors: {} })
  isDown = false
  expect(await resolver({ name: '' }, undefined, options)).toMatchObject({
    errors: { name: expect.anything() },
  })
})
