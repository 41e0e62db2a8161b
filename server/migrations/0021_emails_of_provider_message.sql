-- A notification without our tags names its email only by the number that the provider gave the message. Without this
-- index each page of notifications with such a one in it read every email there is, and again at each later try.
create index emails_of_provider_message on emails (provider_message_id) where provider_message_id is not null;
