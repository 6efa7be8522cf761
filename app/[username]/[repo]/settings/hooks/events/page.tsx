import { whyPage } from '@/app/_features/hooks/pages/why-page'
import { placeOfRepository } from '@/app/_features/hooks/places'

export const metadata = { title: 'Events for webhooks' }

export default whyPage(placeOfRepository)
