//! The functions of libotf2 that are used, as its headers declare them (version 3).

#![expect(unsafe_code, reason = "the functions of a library in C")]

use std::ffi::{c_char, c_int, c_void};

/// What a function returns that succeeds, and a callback that wants to go on.
pub const SUCCESS: c_int = 0;

/// Declares types of the library of which only addresses are known.
macro_rules! opaque {
    ($($name:ident)*) => {
        $(
            #[repr(C)]
            pub struct $name {
                _bytes: [u8; 0],
            }
        )*
    };
}

opaque!(Reader GlobalDefReader DefReader EvtReader GlobalDefCallbacks EvtCallbacks);

/// The first arguments of each callback of events: location, time, position, the caller's data, attributes.
macro_rules! event {
    ($($argument:ty),*) => {
        unsafe extern "C" fn(u64, u64, u64, *mut c_void, *mut c_void, $($argument),*) -> c_int
    };
}

pub type ErrorCallback =
    unsafe extern "C" fn(*mut c_void, *const c_char, u64, *const c_char, c_int, *const c_char, *mut c_void) -> c_int;
pub type OnClock = unsafe extern "C" fn(*mut c_void, u64, u64, u64, u64) -> c_int;
pub type OnString = unsafe extern "C" fn(*mut c_void, u32, *const c_char) -> c_int;
pub type OnGroup = unsafe extern "C" fn(*mut c_void, u32, u32, u8, u8, u32, u32, *const u64) -> c_int;
pub type OnComm = unsafe extern "C" fn(*mut c_void, u32, u32, u32, u32, u32) -> c_int;
pub type OnRegion = unsafe extern "C" fn(*mut c_void, u32, u32, u32, u32, u8, u8, u32, u32, u32, u32) -> c_int;
pub type OnLocation = unsafe extern "C" fn(*mut c_void, u64, u32, u8, u64, u32) -> c_int;

unsafe extern "C" {
    pub fn OTF2_Error_RegisterCallback(callback: Option<ErrorCallback>, data: *mut c_void) -> Option<ErrorCallback>;
    pub fn OTF2_Error_GetDescription(code: c_int) -> *const c_char;
    pub fn OTF2_Reader_Open(anchor: *const c_char) -> *mut Reader;
    pub fn OTF2_Reader_Close(reader: *mut Reader) -> c_int;
    pub fn OTF2_Reader_SetSerialCollectiveCallbacks(reader: *mut Reader) -> c_int;
    pub fn OTF2_Reader_SelectLocation(reader: *mut Reader, location: u64) -> c_int;
    pub fn OTF2_Reader_OpenDefFiles(reader: *mut Reader) -> c_int;
    pub fn OTF2_Reader_CloseDefFiles(reader: *mut Reader) -> c_int;
    pub fn OTF2_Reader_OpenEvtFiles(reader: *mut Reader) -> c_int;
    pub fn OTF2_Reader_GetGlobalDefReader(reader: *mut Reader) -> *mut GlobalDefReader;
    pub fn OTF2_Reader_GetDefReader(reader: *mut Reader, location: u64) -> *mut DefReader;
    pub fn OTF2_Reader_GetEvtReader(reader: *mut Reader, location: u64) -> *mut EvtReader;
    pub fn OTF2_Reader_CloseDefReader(reader: *mut Reader, definitions: *mut DefReader) -> c_int;
    pub fn OTF2_Reader_CloseEvtReader(reader: *mut Reader, events: *mut EvtReader) -> c_int;
    pub fn OTF2_Reader_ReadAllGlobalDefinitions(r: *mut Reader, d: *mut GlobalDefReader, read: *mut u64) -> c_int;
    pub fn OTF2_Reader_ReadAllLocalDefinitions(r: *mut Reader, d: *mut DefReader, read: *mut u64) -> c_int;
    pub fn OTF2_Reader_ReadAllLocalEvents(r: *mut Reader, e: *mut EvtReader, read: *mut u64) -> c_int;
    pub fn OTF2_Reader_RegisterGlobalDefCallbacks(
        reader: *mut Reader,
        definitions: *mut GlobalDefReader,
        callbacks: *const GlobalDefCallbacks,
        data: *mut c_void,
    ) -> c_int;
    pub fn OTF2_Reader_RegisterEvtCallbacks(
        reader: *mut Reader,
        events: *mut EvtReader,
        callbacks: *const EvtCallbacks,
        data: *mut c_void,
    ) -> c_int;
    pub fn OTF2_GlobalDefReaderCallbacks_New() -> *mut GlobalDefCallbacks;
    pub fn OTF2_GlobalDefReaderCallbacks_Delete(callbacks: *mut GlobalDefCallbacks);
    pub fn OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(
        to: *mut GlobalDefCallbacks,
        callback: OnClock,
    ) -> c_int;
    pub fn OTF2_GlobalDefReaderCallbacks_SetStringCallback(to: *mut GlobalDefCallbacks, callback: OnString) -> c_int;
    pub fn OTF2_GlobalDefReaderCallbacks_SetGroupCallback(to: *mut GlobalDefCallbacks, callback: OnGroup) -> c_int;
    pub fn OTF2_GlobalDefReaderCallbacks_SetCommCallback(to: *mut GlobalDefCallbacks, callback: OnComm) -> c_int;
    pub fn OTF2_GlobalDefReaderCallbacks_SetRegionCallback(to: *mut GlobalDefCallbacks, callback: OnRegion) -> c_int;
    pub fn OTF2_GlobalDefReaderCallbacks_SetLocationCallback(
        to: *mut GlobalDefCallbacks,
        callback: OnLocation,
    ) -> c_int;
    pub fn OTF2_EvtReaderCallbacks_New() -> *mut EvtCallbacks;
    pub fn OTF2_EvtReaderCallbacks_Delete(callbacks: *mut EvtCallbacks);
    pub fn OTF2_EvtReaderCallbacks_SetEnterCallback(to: *mut EvtCallbacks, callback: event!(u32)) -> c_int;
    pub fn OTF2_EvtReaderCallbacks_SetLeaveCallback(to: *mut EvtCallbacks, callback: event!(u32)) -> c_int;
    pub fn OTF2_EvtReaderCallbacks_SetMpiSendCallback(
        to: *mut EvtCallbacks,
        callback: event!(u32, u32, u32, u64),
    ) -> c_int;
    pub fn OTF2_EvtReaderCallbacks_SetMpiIsendCallback(
        to: *mut EvtCallbacks,
        callback: event!(u32, u32, u32, u64, u64),
    ) -> c_int;
    pub fn OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(to: *mut EvtCallbacks, callback: event!(u64)) -> c_int;
    pub fn OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(to: *mut EvtCallbacks, callback: event!(u64)) -> c_int;
    pub fn OTF2_EvtReaderCallbacks_SetMpiRecvCallback(
        to: *mut EvtCallbacks,
        callback: event!(u32, u32, u32, u64),
    ) -> c_int;
    pub fn OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(
        to: *mut EvtCallbacks,
        callback: event!(u32, u32, u32, u64, u64),
    ) -> c_int;
    pub fn OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(
        to: *mut EvtCallbacks,
        callback: event!(u64),
    ) -> c_int;
    pub fn OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(to: *mut EvtCallbacks, callback: event!()) -> c_int;
    pub fn OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(
        to: *mut EvtCallbacks,
        callback: event!(u8, u32, u32, u64, u64),
    ) -> c_int;
    pub fn OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(
        to: *mut EvtCallbacks,
        callback: event!(u64),
    ) -> c_int;
    pub fn OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(
        to: *mut EvtCallbacks,
        callback: event!(u8, u32, u32, u64, u64, u64),
    ) -> c_int;
}
